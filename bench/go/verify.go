package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"

	"svc.example/go"
)

// collectAsTheCommand sets the collector as the command svc does: rarely for small files, whose garbage is small, and
// within twice the length of a large one.
func collectAsTheCommand(bytes int64) {
	const spare = 64 << 20
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(2*bytes + spare)
}

func verify(name string, options svc.Options) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	collectAsTheCommand(info.Size())
	report, err := svc.VerifyFile(context.Background(), name, options)
	if report == nil {
		return err
	}
	receipts := report.Subject.ToSeqNo - report.Subject.FromSeqNo + 1
	return say(map[string]any{"verdict": report.Verdict, "receipts": receipts, "problems": len(report.Problems)})
}

func folder(name string, options svc.Options) error {
	entries, err := os.ReadDir(name)
	if err != nil {
		return err
	}
	var names []string
	for _, entry := range entries {
		names = append(names, filepath.Join(name, entry.Name()))
	}
	collectAsTheCommand(0)
	verified := 0
	for result := range svc.VerifyAll(context.Background(), names, options) {
		if result.Err != nil {
			return errors.Join(errors.New(result.Name), result.Err)
		}
		verified++
	}
	return say(map[string]any{"verified": verified})
}
