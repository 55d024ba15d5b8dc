package main

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"syscall"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"kubewright.invalid/bench/peers/protocol"
)

type measure struct {
	Objects    int     `json:"objects"`
	CPUSeconds float64 `json:"cpuSeconds"`
}

// decode lists in pages of 500, then watches, and prints what that cost.
func decode(config *rest.Config) {
	events, err := strconv.Atoi(os.Getenv("BENCH_EXPECT"))
	protocol.Must(err)
	client := clientOf(config, protocol.WidgetVersion)
	ctx := context.Background()
	request := func(options metav1.ListOptions) *rest.Request {
		return client.Get().Namespace(protocol.Namespace).Resource("widgets").VersionedParams(&options, parameters)
	}
	listed := measured(func() int {
		for objects, next := 0, ""; ; {
			page := &protocol.WidgetList{}
			protocol.Must(request(metav1.ListOptions{Limit: 500, Continue: next}).Do(ctx).Into(page))
			objects += len(page.Items)
			if next = page.Continue; next == "" {
				return objects
			}
		}
	})
	watched := measured(func() int {
		stream, err := request(metav1.ListOptions{Watch: true, ResourceVersion: "1000000"}).Watch(ctx)
		protocol.Must(err)
		defer stream.Stop()
		seen := 0
		for event := range stream.ResultChan() {
			if event.Type == watch.Modified {
				if seen++; seen == events {
					break
				}
			}
		}
		return seen
	})
	protocol.Must(json.NewEncoder(os.Stdout).Encode(map[string]any{"list": listed, "watch": watched, "rssMiB": rssMiB()}))
}

func measured(work func() int) measure {
	before := cpuSeconds()
	return measure{work(), cpuSeconds() - before}
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	protocol.Must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func rssMiB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	protocol.Must(err)
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kiB, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	protocol.Must(err)
	return kiB / 1024
}
