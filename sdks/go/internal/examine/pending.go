package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

func forkFaultsAt(object jsonx.Value, path string) []finding { return nil }
func provenancePartFaults(object jsonx.Value) []finding      { return nil }
func (e *exam) provenancePart(b *bundle)                     {}
func (e *exam) bundleForks(b *bundle)                        { e.leaveOut(report.CheckFork, "no fork evidence in the bundle") }
