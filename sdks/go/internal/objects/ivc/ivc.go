// Package ivc folds the checkpoints of an IVC epoch again (protocol section 32).
package ivc

import (
	"crypto/sha256"
	"encoding/binary"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Form returns how an epoch is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "ivc-epoch", Faults: faults, Examine: examine}
}

var (
	sealForm    = examination.NewSealForm(examination.IVCWord, "ivc-epoch", "seal", "checkpoints", "proof", "key_hints", "key_endorsements")
	genesisLine = digest.LineOf(examination.IVCWord, "genesis")
)

const (
	program      = "svc-checkpoint-chain/1"
	construction = "transparent-recompute/1"
	recomputed   = "recomputed by this verifier; not succinct, hides nothing, construction not reviewed"
)

// faults returns the faults of form between the members of an epoch (protocol section 32).
func faults(object jsonx.Value) (found []finding.Finding) {
	if values.Text(object, "construction") == construction && object.Get("proof").Kind() != jsonx.Null {
		found = append(found, finding.Finding{Code: report.CodeMalformed, Path: "/proof", Message: "An epoch that is recomputed has no proof."})
	}
	windows, before := 0, int64(0)
	for i, one := range values.Items(object.Get("checkpoints")) {
		path := values.At("/checkpoints", i)
		found = append(found, checkpoint.FaultsAt(one, path)...)
		windows += one.Get("window_roots").Len()
		if i == 0 {
			before = checkpoint.WindowsBefore(one)
		}
		if i == 0 && !values.Has(one, "frontier") && before != 0 {
			found = append(found, finding.Finding{
				Code: report.CodeMissingMember, Path: path + "/frontier",
				Message: "Without the frontier before the first checkpoint no root can be recomputed.",
			})
		}
	}
	if checkpoint.ExceedsTree(before, windows) {
		found = append(found, finding.Finding{Code: report.CodeMalformed, Path: "/checkpoints", Message: checkpoint.NoRoom})
	}
	return found
}

// examine folds the checkpoints of an epoch again.
func examine(e *examination.Exam, object jsonx.Value) {
	const check = report.CheckIVC
	stream, origin := values.Text(object, "stream_id"), values.Text(object, "origin")
	id := values.Text(object, "ivc_epoch_id")
	e.Subject.ID, e.Subject.StreamID, e.Subject.Origin = &id, stream, examination.StatedBy(origin, stream)
	if list := values.Items(object.Get("checkpoints")); len(list) > 0 {
		e.Subject.ToSeqNo = values.Number(list[len(list)-1], "to_seq_no")
	}
	e.Origin = origin
	e.NotChecked(report.CheckWitness, "an epoch raises no assurance, so cosignatures are checked and not counted")
	e.Looked(check, 1)
	e.Expect(check, origin == examination.ServiceOf(origin, stream)+"/"+stream, report.CodeMalformed, "/origin",
		"The origin does not end in / and the stream id.")
	isKnown := e.Expect(check, values.Text(object, "program") == program, report.CodeIVCProgramUnknown, "/program", "The program is not known here.")
	isAdmitted := e.Expect(check, values.Text(object, "construction") == construction, report.CodeIVCConstructionNotReviewed, "/construction",
		"The construction is not one that this verifier admits.")
	e.Seal(check, sealForm, object, object.Get("seal"), examination.SealUse{
		Path: "/seal", Role: report.RoleIVCEpoch, Name: "epoch", No: values.Number(object, "ivc_epoch_no"), Stream: stream,
		OwnTime: values.Text(object, "created_at"),
	}, nil)
	if !isKnown || !isAdmitted {
		return
	}
	epochNo, from, to := values.Number(object, "ivc_epoch_no"), values.Number(object, "from_checkpoint_no"), values.Number(object, "to_checkpoint_no")
	isFirst := epochNo == 1
	e.Expect(check, (from == 1) == isFirst && object.Get("previous_ivc_epoch_hash").IsText(values.Zeros) == isFirst,
		report.CodeIVCEpochChainBroken, "/previous_ivc_epoch_hash", "Epoch 1, checkpoint 1 and a previous hash of zeros come together or not at all.")
	e.Expect(check, from >= epochNo, report.CodeIVCEpochChainBroken, "/ivc_epoch_no", "There is no room for the epochs before.")
	initial := values.Hash(object, "initial_state")
	if isFirst {
		genesis := e.Kernel.Digest(genesisLine, []byte(`{"origin":`), object.Get("origin").Canonical(), []byte(`,"stream_id":`),
			object.Get("stream_id").Canonical(), []byte(`}`))
		e.Expect(check, initial == genesis, report.CodeIVCEpochChainBroken, "/initial_state", "Epoch 1 begins with another state.")
	}
	steps := values.Number(object, "step_count")
	if !e.Expect(check, steps == to-from+1 && steps >= 1 && steps <= tables.MaxIVCSteps, report.CodeIVCStepsIncomplete, "/step_count",
		"The count is not that of the range, or too large.") {
		return
	}
	list := object.Get("checkpoints")
	if !list.Exists() {
		e.Distrust(check, finding.Finding{Code: report.CodeIVCStepsAbsent, Message: "The checkpoints are not here."}, "")
		for _, one := range []report.CheckID{report.CheckCheckpointRoot, report.CheckCheckpointChain, report.CheckKnownCheckpoint} {
			e.NotChecked(one, "no checkpoint here")
		}
		return
	}
	checkpoints := readCheckpoints(e, list, from, steps)
	if checkpoints == nil {
		return
	}
	holdChain(e, checkpoints, stream, origin)
	e.Found(check, recomputed)
	if !isFirst {
		holdBefore(e, object, checkpoints[0])
	}
	state := initial
	for _, c := range checkpoints {
		state = fold(c, state)
	}
	e.Expect(check, state == values.Hash(object, "final_state"), report.CodeIVCStateMismatch, "/final_state",
		"The steps do not lead to the final state.")
}

// readCheckpoints reads the checkpoints of a range; nil where they are others.
func readCheckpoints(e *examination.Exam, list jsonx.Value, from, steps int64) (checkpoints []*checkpoint.Checkpoint) {
	const message = "The checkpoints are not those of the range."
	if !e.Expect(report.CheckIVC, int64(list.Len()) == steps, report.CodeIVCStepsIncomplete, "/checkpoints", message) {
		return nil
	}
	for i, one := range list.Elements() {
		c := checkpoint.Read(one, values.At("/checkpoints", i))
		if !e.Expect(report.CheckIVC, c.No == from+int64(i), report.CodeIVCStepsIncomplete, c.Path+"/checkpoint_no", message) {
			return nil
		}
		checkpoints = append(checkpoints, c)
	}
	e.NewestCount = checkpoints[len(checkpoints)-1].Count
	return checkpoints
}

// holdChain holds the checkpoints of an epoch by themselves and against each other.
func holdChain(e *examination.Exam, checkpoints []*checkpoint.Checkpoint, stream, origin string) {
	const check = report.CheckCheckpointChain
	first := checkpoints[0]
	size, frontier := first.First().No-1, values.Hashes(first.Value.Get("frontier"))
	known := witness.KnownTo(e)
	var lists []*checkpoint.Cosignatures
	for i, c := range checkpoints {
		e.Looked(check, 1)
		e.Expect(check, c.Stream == stream, report.CodeStreamMismatch, c.Path+"/stream_id", "The checkpoint is of another stream.")
		e.Expect(check, c.Origin == origin, report.CodeOriginChanged, c.Path+"/origin", "The origin changes.")
		if i > 0 {
			holdOrder(e, checkpoints[i-1], c)
		}
		checkpoint.Examine(e, c, false)
		size, frontier = holdRoot(e, c, size, frontier)
		lists = append(lists, checkpoint.ReadCosignatures(e, c, known))
	}
	e.Settle()
	for _, list := range lists {
		e.ProveTime(list.Earliest(), list.Checkpoint.To)
	}
}

// holdOrder holds a checkpoint against the one before it.
func holdOrder(e *examination.Exam, before, c *checkpoint.Checkpoint) {
	const check = report.CheckCheckpointChain
	e.Expect(check, c.Value.Get("previous_checkpoint_hash").IsText(before.Hash), report.CodePreviousCheckpointMismatch,
		c.Path+"/previous_checkpoint_hash", "The checkpoint does not follow the one before it.")
	e.Expect(check, c.First().No == before.Count+1 && c.First().From == before.To+1, report.CodeCheckpointWindowMismatch,
		c.Path+"/window_roots", "The windows do not go on where those of the one before end.")
	e.Expect(check, c.Value.Get("policy_id").Equal(before.Value.Get("policy_id")), report.CodePolicyChanged, c.Path+"/policy_id",
		"The policy changes.")
}

// holdRoot appends the listed windows of a checkpoint, and holds its root against the tree.
func holdRoot(e *examination.Exam, c *checkpoint.Checkpoint, size int64, frontier []merkle.Hash) (int64, []merkle.Hash) {
	if root, ok := e.Kernel.RootOfFrontier(frontier); ok {
		e.Establish(size, root)
	}
	for i := range c.Listed {
		grown, err := e.Kernel.AppendLeaves(uint64(size), frontier, []merkle.Hash{e.Kernel.LeafHash(c.Listed[i].Hash[:])})
		if err != nil {
			break
		}
		size, frontier = size+1, grown
		root, _ := e.Kernel.RootOfFrontier(frontier)
		e.Establish(size, root)
	}
	root, _ := e.Kernel.RootOfFrontier(frontier)
	e.Expect(report.CheckCheckpointRoot, root == c.Root, report.CodeCheckpointRootMismatch, c.Path+"/checkpoint_root",
		"The windows do not give the root.")
	return size, frontier
}

// fold returns the state after a checkpoint.
func fold(c *checkpoint.Checkpoint, state merkle.Hash) merkle.Hash {
	text := append([]byte{2}, state[:]...)
	for _, n := range []int64{c.No, c.Count, c.To} {
		text = binary.BigEndian.AppendUint64(text, uint64(n))
	}
	for _, name := range []string{"checkpoint_root", "stream_head_hash"} {
		hash := values.Hash(c.Value, name)
		text = append(text, hash[:]...)
	}
	own := values.ParseHash(c.Hash)
	text = append(text, own[:]...)
	for _, name := range []string{"policy_digest", "witness_policy_digest"} {
		hash := values.Hash(c.Value, name)
		text = append(text, hash[:]...)
	}
	return sha256.Sum256(text)
}

// holdBefore holds an epoch against the one before it, where that is handed in.
func holdBefore(e *examination.Exam, object jsonx.Value, first *checkpoint.Checkpoint) {
	for _, wire := range e.Links {
		part := examination.New(e.Kernel, e.Policy.Alone(), nil, 1)
		part.Kind = report.KindIVCEpoch
		tree := part.Parse(wire, "")
		if tree == nil || !values.Has(tree.Root(), "ivc_epoch_id") {
			continue
		}
		before := tree.Root()
		part.Value = before
		part.Examine(Form(), tree, len(wire))
		if part.Report().Verdict == report.Rejected || !values.Has(before, "checkpoints") ||
			values.Hex(sealForm.Hash(before)) != values.Text(object, "previous_ivc_epoch_hash") {
			continue
		}
		goesOn := values.Number(before, "ivc_epoch_no")+1 == values.Number(object, "ivc_epoch_no") &&
			values.Number(before, "to_checkpoint_no")+1 == values.Number(object, "from_checkpoint_no") &&
			before.Get("stream_id").Equal(object.Get("stream_id")) && before.Get("origin").Equal(object.Get("origin")) &&
			before.Get("final_state").Equal(object.Get("initial_state"))
		e.Expect(report.CheckIVC, goesOn, report.CodeIVCEpochChainBroken, "/initial_state", "The epoch does not go on from the one before.")
		list := values.Items(before.Get("checkpoints"))
		holdOrder(e, checkpoint.Read(list[len(list)-1], ""), first)
		return
	}
	e.Found(report.CheckIVC, recomputed+"; its first state is its own word")
}
