package checkpoint

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// ConsistencyForm returns how evidence that one checkpoint extends another is examined.
func ConsistencyForm() *examination.Form {
	return &examination.Form{Schema: "consistency", Faults: consistencyFaults, Examine: examineConsistency}
}

func consistencyFaults(object jsonx.Value) (found []finding.Finding) {
	for _, name := range []string{"from_checkpoint", "to_checkpoint"} {
		found = append(found, FaultsAt(object.Get(name), "/"+name)...)
	}
	return found
}

// examineConsistency examines evidence that a later checkpoint extends an earlier one (protocol section 9).
func examineConsistency(e *examination.Exam, object jsonx.Value) {
	stream := values.Text(object, "stream_id")
	from := Read(object.Get("from_checkpoint"), "/from_checkpoint")
	to := Read(object.Get("to_checkpoint"), "/to_checkpoint")
	e.Subject.StreamID, e.Subject.ToSeqNo = stream, to.To
	e.Subject.Origin, e.Origin = examination.StatedBy(to.Origin, stream), to.Origin
	for _, c := range []*Checkpoint{from, to} {
		if !e.ExpectEqual(report.CheckCheckpointChain, report.CodeStreamMismatch, stream, c.Stream, c.Path+"/stream_id",
			"The checkpoint is of another stream.") {
			continue
		}
	}
	follow(e, from, to)
	Examine(e, from, true)
	Examine(e, to, true)
	earlier := ReadCosignatures(e, from, witness.KnownTo(e))
	later := ReadCosignatures(e, to, witness.KnownTo(e))
	e.Settle()
	e.ProveTime(earlier.Earliest(), from.To)
	JudgeNewest(e, to, later, -1, "/to_checkpoint/note")
	consistent(e, object, from, to)
	State(e, from)
	State(e, to)
}

// follow holds a later checkpoint against an earlier one.
func follow(e *examination.Exam, from, to *Checkpoint) {
	const check = report.CheckCheckpointChain
	e.ExpectEqual(check, report.CodeOriginChanged, from.Origin, to.Origin, to.Path+"/origin", "The origin changes.")
	e.Expect(check, from.Value.Get("policy_id").Equal(to.Value.Get("policy_id")), report.CodePolicyChanged,
		to.Path+"/policy_id", "The policy changes.")
	first := to.First()
	isNext := to.No == from.No+1
	isAfter := first.No > from.Count && first.From > from.To
	if isNext {
		isAfter = first.No == from.Count+1 && first.From == from.To+1
	}
	e.Expect(check, isAfter, report.CodeCheckpointWindowMismatch, to.Path+"/window_roots",
		"The later checkpoint does not list windows that come after the earlier one.")
	if isNext {
		e.ExpectEqual(check, report.CodePreviousCheckpointMismatch, from.Hash, values.Text(to.Value, "previous_checkpoint_hash"),
			to.Path+"/previous_checkpoint_hash", "The later checkpoint does not name the earlier one.")
	}
}

// consistent holds the numbers and the path against the two checkpoints.
func consistent(e *examination.Exam, object jsonx.Value, from, to *Checkpoint) {
	const check = report.CheckConsistency
	e.Looked(check, 1)
	windows := to.Count - from.Count
	e.Expect(check, to.No > from.No && windows >= to.No-from.No && to.To-from.To >= windows,
		report.CodeConsistencyInvalid, to.Path, "Numbers, windows and events do not rise together.")
	leads := e.Kernel.VerifyConsistency(uint64(from.Count), from.Root, uint64(to.Count), to.Root, values.Hashes(object.Get("consistency_path")))
	e.Expect(check, leads, report.CodeConsistencyInvalid, "/consistency_path",
		"The path does not lead from the one root to the other.")
}
