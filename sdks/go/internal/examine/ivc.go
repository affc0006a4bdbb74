package examine

import (
	"crypto/sha256"
	"encoding/binary"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

var (
	ivcSeal     = newSealForm(ivcWord, "ivc-epoch", "seal", "checkpoints", "proof", "key_hints", "key_endorsements")
	genesisLine = digest.LineOf(ivcWord, "genesis")
)

const (
	ivcProgram      = "svc-checkpoint-chain/1"
	ivcConstruction = "transparent-recompute/1"
	ivcNote         = "recomputed by this verifier; not succinct, hides nothing, construction not reviewed"
)

// ivcFaults returns the faults of form between the members of an epoch (protocol section 32).
func ivcFaults(object jsonx.Value) (found []finding) {
	if text(object, "construction") == ivcConstruction && object.Get("proof").Kind() != jsonx.Null {
		found = append(found, finding{code: report.CodeMalformed, path: "/proof", message: "An epoch that is recomputed has no proof."})
	}
	windows, before := 0, int64(0)
	for i, one := range items(object.Get("checkpoints")) {
		path := at("/checkpoints", i)
		found = append(found, checkpointFaultsAt(one, path)...)
		windows += one.Get("window_roots").Len()
		if i == 0 {
			before = windowsBefore(one)
		}
		if i == 0 && !has(one, "frontier") && before != 0 {
			found = append(found, finding{
				code: report.CodeMissingMember, path: path + "/frontier",
				message: "Without the frontier before the first checkpoint no root can be recomputed.",
			})
		}
	}
	if exceedsTree(before, windows) {
		found = append(found, finding{code: report.CodeMalformed, path: "/checkpoints", message: noRoom})
	}
	return found
}

// ivcEpoch folds the checkpoints of an epoch again.
func (e *exam) ivcEpoch(object jsonx.Value) {
	const check = report.CheckIVC
	stream, origin := text(object, "stream_id"), text(object, "origin")
	id := text(object, "ivc_epoch_id")
	e.subject.ID, e.subject.StreamID, e.subject.Origin = &id, stream, statedBy(origin, stream)
	if list := items(object.Get("checkpoints")); len(list) > 0 {
		e.subject.ToSeqNo = number(list[len(list)-1], "to_seq_no")
	}
	e.origin = origin
	e.notChecked(report.CheckWitness, "an epoch raises no assurance, so cosignatures are checked and not counted")
	e.looked(check, 1)
	e.expect(check, origin == serviceOf(origin, stream)+"/"+stream, report.CodeMalformed, "/origin", "The origin does not end in / and the stream id.")
	isKnown := e.expect(check, text(object, "program") == ivcProgram, report.CodeIVCProgramUnknown, "/program", "The program is not known here.")
	isAdmitted := e.expect(check, text(object, "construction") == ivcConstruction, report.CodeIVCConstructionNotReviewed, "/construction",
		"The construction is not one that this verifier admits.")
	e.seal(check, ivcSeal, object, object.Get("seal"), sealUse{
		path: "/seal", role: report.RoleIVCEpoch, what: "epoch", no: number(object, "ivc_epoch_no"), stream: stream,
		ownTime: text(object, "created_at"),
	}, nil)
	if !isKnown || !isAdmitted {
		return
	}
	epochNo, from, to := number(object, "ivc_epoch_no"), number(object, "from_checkpoint_no"), number(object, "to_checkpoint_no")
	isFirst := epochNo == 1
	e.expect(check, (from == 1) == isFirst && object.Get("previous_ivc_epoch_hash").IsText(zeros) == isFirst,
		report.CodeIVCEpochChainBroken, "/previous_ivc_epoch_hash", "Epoch 1, checkpoint 1 and a previous hash of zeros stand together.")
	e.expect(check, from >= epochNo, report.CodeIVCEpochChainBroken, "/ivc_epoch_no", "There is no room for the epochs before.")
	initial := hashOf(object, "initial_state")
	if isFirst {
		genesis := e.k.Digest(genesisLine, []byte(`{"origin":`), object.Get("origin").Canonical(), []byte(`,"stream_id":`),
			object.Get("stream_id").Canonical(), []byte(`}`))
		e.expect(check, initial == genesis, report.CodeIVCEpochChainBroken, "/initial_state", "Epoch 1 begins with another state.")
	}
	steps := number(object, "step_count")
	if !e.expect(check, steps == to-from+1 && steps >= 1 && steps <= tables.MaxIVCSteps, report.CodeIVCStepsIncomplete, "/step_count",
		"The count is not that of the range, or too large.") {
		return
	}
	list := object.Get("checkpoints")
	if !list.Exists() {
		e.distrust(check, finding{code: report.CodeIVCStepsAbsent, message: "The checkpoints are not here."}, "")
		for _, one := range []report.CheckID{report.CheckCheckpointRoot, report.CheckCheckpointChain, report.CheckKnownCheckpoint} {
			e.notChecked(one, "no checkpoint here")
		}
		return
	}
	checkpoints := e.ivcCheckpoints(list, from, steps)
	if checkpoints == nil {
		return
	}
	e.ivcChain(checkpoints, stream, origin)
	e.found(check, ivcNote)
	if !isFirst {
		e.ivcBefore(object, checkpoints[0])
	}
	state := initial
	for _, c := range checkpoints {
		state = c.fold(state)
	}
	e.expect(check, state == hashOf(object, "final_state"), report.CodeIVCStateMismatch, "/final_state",
		"The steps do not lead to the final state.")
}

// ivcCheckpoints reads the checkpoints of a range; nil where they are others.
func (e *exam) ivcCheckpoints(list jsonx.Value, from, steps int64) (checkpoints []*checkpoint) {
	const message = "The checkpoints are not those of the range."
	if !e.expect(report.CheckIVC, int64(list.Len()) == steps, report.CodeIVCStepsIncomplete, "/checkpoints", message) {
		return nil
	}
	for i, one := range list.Elements() {
		c := e.readCheckpoint(one, at("/checkpoints", i))
		if !e.expect(report.CheckIVC, c.no == from+int64(i), report.CodeIVCStepsIncomplete, c.path+"/checkpoint_no", message) {
			return nil
		}
		checkpoints = append(checkpoints, c)
	}
	e.newestCount = checkpoints[len(checkpoints)-1].count
	return checkpoints
}

// ivcChain holds the checkpoints of an epoch by themselves and against each other.
func (e *exam) ivcChain(checkpoints []*checkpoint, stream, origin string) {
	const check = report.CheckCheckpointChain
	first := checkpoints[0]
	size, frontier := first.first().no-1, hashes(first.value.Get("frontier"))
	known := newKnownWitnesses(e)
	var lists []*cosignatures
	for i, c := range checkpoints {
		e.looked(check, 1)
		e.expect(check, c.stream == stream, report.CodeStreamMismatch, c.path+"/stream_id", "The checkpoint is of another stream.")
		e.expect(check, c.origin == origin, report.CodeOriginChanged, c.path+"/origin", "The origin changes.")
		if i > 0 {
			e.ivcFollows(checkpoints[i-1], c)
		}
		e.checkpoint(c, false)
		size, frontier = e.ivcRoot(c, size, frontier)
		lists = append(lists, e.cosignatures(c, known))
	}
	e.settle()
	for _, list := range lists {
		e.proveTime(list.earliest(), list.c.to)
	}
}

// ivcFollows holds a checkpoint against the one before it.
func (e *exam) ivcFollows(before, c *checkpoint) {
	const check = report.CheckCheckpointChain
	e.expect(check, c.value.Get("previous_checkpoint_hash").IsText(before.hash), report.CodePreviousCheckpointMismatch,
		c.path+"/previous_checkpoint_hash", "The checkpoint does not follow the one before it.")
	e.expect(check, c.first().no == before.count+1 && c.first().from == before.to+1, report.CodeCheckpointWindowMismatch,
		c.path+"/window_roots", "The windows do not go on where those of the one before end.")
	e.expect(check, c.value.Get("policy_id").Equal(before.value.Get("policy_id")), report.CodePolicyChanged, c.path+"/policy_id",
		"The policy changes.")
}

// ivcRoot appends the listed windows of a checkpoint, and holds its root against the tree.
func (e *exam) ivcRoot(c *checkpoint, size int64, frontier []merkle.Hash) (int64, []merkle.Hash) {
	if root, ok := e.k.RootOfFrontier(frontier); ok {
		e.establish(size, root)
	}
	for i := range c.listed {
		grown, err := e.k.AppendLeaves(uint64(size), frontier, []merkle.Hash{e.k.LeafHash(c.listed[i].hash[:])})
		if err != nil {
			break
		}
		size, frontier = size+1, grown
		root, _ := e.k.RootOfFrontier(frontier)
		e.establish(size, root)
	}
	root, _ := e.k.RootOfFrontier(frontier)
	e.expect(report.CheckCheckpointRoot, root == c.root, report.CodeCheckpointRootMismatch, c.path+"/checkpoint_root",
		"The windows do not give the root.")
	return size, frontier
}

// fold returns the state after a checkpoint.
func (c *checkpoint) fold(state merkle.Hash) merkle.Hash {
	text := append([]byte{2}, state[:]...)
	for _, n := range []int64{c.no, c.count, c.to} {
		text = binary.BigEndian.AppendUint64(text, uint64(n))
	}
	for _, name := range []string{"checkpoint_root", "stream_head_hash"} {
		hash := hashOf(c.value, name)
		text = append(text, hash[:]...)
	}
	own := hashText(c.hash)
	text = append(text, own[:]...)
	for _, name := range []string{"policy_digest", "witness_policy_digest"} {
		hash := hashOf(c.value, name)
		text = append(text, hash[:]...)
	}
	return sha256.Sum256(text)
}

// ivcBefore holds an epoch against the one before it, where that is handed in.
func (e *exam) ivcBefore(object jsonx.Value, first *checkpoint) {
	for _, wire := range e.wires {
		part := newExam(e.k, e.policy.alone(), nil, 1)
		part.kind = report.KindIVCEpoch
		tree := part.parse(wire, "")
		if tree == nil || !has(tree.Root(), "ivc_epoch_id") {
			continue
		}
		before := tree.Root()
		part.value = before
		part.whole(Input{Bytes: wire, Policy: part.policy}, tree)
		if part.report().Verdict == report.Rejected || !has(before, "checkpoints") ||
			hexOf(ivcSeal.hash(before)) != text(object, "previous_ivc_epoch_hash") {
			continue
		}
		goesOn := number(before, "ivc_epoch_no")+1 == number(object, "ivc_epoch_no") &&
			number(before, "to_checkpoint_no")+1 == number(object, "from_checkpoint_no") &&
			before.Get("stream_id").Equal(object.Get("stream_id")) && before.Get("origin").Equal(object.Get("origin")) &&
			before.Get("final_state").Equal(object.Get("initial_state"))
		e.expect(report.CheckIVC, goesOn, report.CodeIVCEpochChainBroken, "/initial_state", "The epoch does not go on from the one before.")
		list := items(before.Get("checkpoints"))
		e.ivcFollows(e.readCheckpoint(list[len(list)-1], ""), first)
		return
	}
	e.found(report.CheckIVC, ivcNote+"; its first state is its own word")
}
