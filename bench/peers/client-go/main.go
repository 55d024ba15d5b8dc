// The client-go peer: a typed REST client for one custom resource, lists in pages of 500, then a watch.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"syscall"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
)

var groupVersion = schema.GroupVersion{Group: "bench.example.com", Version: "v1"}

type measure struct {
	Objects    int     `json:"objects"`
	CPUSeconds float64 `json:"cpuSeconds"`
}

func cpu() float64 {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

func measured(work func() int) measure {
	before := cpu()
	objects := work()
	return measure{objects, cpu() - before}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(groupVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	params := runtime.NewParameterCodec(scheme)
	client, err := rest.RESTClientFor(&rest.Config{
		Host:    os.Getenv("BENCH_SERVER"),
		APIPath: "/apis",
		QPS:     -1,
		ContentConfig: rest.ContentConfig{
			GroupVersion:         &groupVersion,
			NegotiatedSerializer: serializer.NewCodecFactory(scheme).WithoutConversion(),
		},
	})
	must(err)
	events, err := strconv.Atoi(os.Getenv("BENCH_EVENTS"))
	must(err)
	ctx := context.Background()
	request := func(options metav1.ListOptions) *rest.Request {
		return client.Get().Namespace("bench").Resource("widgets").VersionedParams(&options, params)
	}

	list := measured(func() int {
		objects, next := 0, ""
		for {
			page := &WidgetList{}
			must(request(metav1.ListOptions{Limit: 500, Continue: next}).Do(ctx).Into(page))
			objects += len(page.Items)
			if next = page.Continue; next == "" {
				return objects
			}
		}
	})
	watched := measured(func() int {
		stream, err := request(metav1.ListOptions{Watch: true, ResourceVersion: "100000"}).Watch(ctx)
		must(err)
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
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{"list": list, "watch": watched, "rssMiB": rss()}))
}

func rss() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var total, resident float64
	fmt.Sscan(string(text), &total, &resident)
	return resident * float64(os.Getpagesize()) / (1 << 20)
}
