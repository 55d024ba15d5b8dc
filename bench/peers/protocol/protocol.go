// Package protocol is the Go peers' half of the protocol (see ../../README.md).
package protocol

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
)

var (
	Mode      = text("BENCH_MODE", "foo")
	Namespace = os.Getenv("BENCH_NAMESPACE")
	Workers   = number("BENCH_WORKERS", 10)

	expected = int64(number("BENCH_EXPECT", 0))
	updates  atomic.Int64
	first    sync.Once
)

func text(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func number(name string, otherwise int) int {
	value, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		return otherwise
	}
	return value
}

// Must ends the process with the error, if there is one.
func Must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Say writes one line at once: whoever reads it takes the time.
func Say(format string, values ...any) {
	fmt.Printf(format+"\n", values...)
}

// Count is the handler of the cache workload: it only counts.
func Count() {
	if updates.Add(1) == expected {
		Say("done %d", expected)
	}
}

// Reconciled is to be called at the end of every reconcile; only the first is news.
func Reconciled() {
	first.Do(func() { Say("reconciled") })
}

// Serve answers the driver until its input ends.
func Serve(objects func() int) {
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		switch input.Text() {
		case "gc":
			debug.FreeOSMemory()
			Say("gc")
		case "stat":
			Say("stat updates=%d objects=%d", updates.Load(), objects())
		}
	}
	os.Exit(0)
}
