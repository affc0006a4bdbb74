package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

func consistencyFaults(object jsonx.Value) (found []finding) {
	for _, name := range []string{"from_checkpoint", "to_checkpoint"} {
		found = append(found, checkpointFaultsAt(object.Get(name), "/"+name)...)
	}
	return found
}

// consistency examines evidence that a later checkpoint extends an earlier one (protocol section 9).
func (e *exam) consistency(object jsonx.Value) {
	stream := text(object, "stream_id")
	from := e.readCheckpoint(object.Get("from_checkpoint"), "/from_checkpoint")
	to := e.readCheckpoint(object.Get("to_checkpoint"), "/to_checkpoint")
	e.subject.StreamID, e.subject.ToSeqNo = stream, to.to
	e.subject.Origin, e.origin = statedBy(to.origin, stream), to.origin
	for _, c := range []*checkpoint{from, to} {
		if !e.expectEqual(report.CheckCheckpointChain, report.CodeStreamMismatch, stream, c.stream, c.path+"/stream_id", "The checkpoint is of another stream.") {
			continue
		}
	}
	e.follow(from, to)
	e.checkpoint(from, true)
	e.checkpoint(to, true)
	earlier := e.cosignatures(from, newKnownWitnesses(e))
	later := e.cosignatures(to, newKnownWitnesses(e))
	e.settle()
	e.proveTime(earlier.earliest(), from.to)
	e.newest(to, later, -1, "/to_checkpoint/note")
	e.consistent(object, from, to)
	e.state(from)
	e.state(to)
}

// follow holds a later checkpoint against an earlier one.
func (e *exam) follow(from, to *checkpoint) {
	const check = report.CheckCheckpointChain
	e.expectEqual(check, report.CodeOriginChanged, from.origin, to.origin, to.path+"/origin", "The origin changes.")
	e.expect(check, from.value.Get("policy_id").Equal(to.value.Get("policy_id")), report.CodePolicyChanged,
		to.path+"/policy_id", "The policy changes.")
	first := to.first()
	isNext := to.no == from.no+1
	isAfter := first.no > from.count && first.from > from.to
	if isNext {
		isAfter = first.no == from.count+1 && first.from == from.to+1
	}
	e.expect(check, isAfter, report.CodeCheckpointWindowMismatch, to.path+"/window_roots",
		"The later checkpoint does not list windows that come after the earlier one.")
	if isNext {
		e.expectEqual(check, report.CodePreviousCheckpointMismatch, from.hash, text(to.value, "previous_checkpoint_hash"),
			to.path+"/previous_checkpoint_hash", "The later checkpoint does not name the earlier one.")
	}
}

// consistent holds the numbers and the path against the two checkpoints.
func (e *exam) consistent(object jsonx.Value, from, to *checkpoint) {
	const check = report.CheckConsistency
	e.looked(check, 1)
	windows := to.count - from.count
	e.expect(check, to.no > from.no && windows >= to.no-from.no && to.to-from.to >= windows,
		report.CodeConsistencyInvalid, to.path, "Numbers, windows and events do not rise together.")
	leads := e.k.VerifyConsistency(uint64(from.count), from.root, uint64(to.count), to.root, hashes(object.Get("consistency_path")))
	e.expect(check, leads, report.CodeConsistencyInvalid, "/consistency_path",
		"The path does not lead from the one root to the other.")
}
