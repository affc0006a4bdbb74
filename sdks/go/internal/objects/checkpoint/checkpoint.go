// Package checkpoint examines checkpoints, their cosignatures, the consistency of two of them, and the checkpoints that
// the verifier knows (protocol sections 9, 10 and 16).
package checkpoint

import (
	"math/bits"
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/note"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Form returns how a checkpoint is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "checkpoint", Faults: faults, Examine: examineLone}
}

// SealForm is the form of the seal of a checkpoint.
var SealForm = examination.NewSealForm(examination.ProtocolWord, "checkpoint", "seal", "note", "frontier")

// A Checkpoint is a checkpoint, read once (protocol section 9).
type Checkpoint struct {
	Value          jsonx.Value
	Path           string
	ID, Stream     string
	Origin         string
	No, Count, To  int64
	Root           merkle.Hash
	Hash           string
	Listed         []Listed
	CreatedAt, KID string
	note           *note.Note
}

// A Listed is an item of window_roots.
type Listed struct {
	value        jsonx.Value
	No, From, to int64
	Hash         merkle.Hash
}

// IsWindow says whether a window is the one that is listed.
func (l *Listed) IsWindow(w *window.Window) bool {
	return w.No == l.No && w.Hash == l.Hash && w.From == l.From && w.To == l.to &&
		w.Value.Get("window_root").Equal(l.value.Get("window_root"))
}

// Read reads a checkpoint that is at a path.
func Read(value jsonx.Value, path string) *Checkpoint {
	c := &Checkpoint{
		Value: value, Path: path, ID: values.Text(value, "checkpoint_id"), Stream: values.Text(value, "stream_id"),
		Origin: values.Text(value, "origin"), No: values.Number(value, "checkpoint_no"), Count: values.Number(value, "window_count"),
		To: values.Number(value, "to_seq_no"), Root: values.Hash(value, "checkpoint_root"), CreatedAt: values.Text(value, "created_at"),
		KID: values.Text(value.Get("seal"), "kid"),
	}
	for _, one := range value.Get("window_roots").Elements() {
		c.Listed = append(c.Listed, Listed{
			one, values.Number(one, "window_no"), values.Number(one, "from_seq_no"), values.Number(one, "to_seq_no"), values.Hash(one, "window_hash"),
		})
	}
	c.Hash = values.Hex(SealForm.Hash(value))
	return c
}

// First returns the first window that the checkpoint lists.
func (c *Checkpoint) First() *Listed { return &c.Listed[0] }

func (c *Checkpoint) last() *Listed { return &c.Listed[len(c.Listed)-1] }

// faults returns the faults of form between the members of a checkpoint.
func faults(object jsonx.Value) []finding.Finding { return FaultsAt(object, "") }

// FaultsAt returns the faults of form between the members of a checkpoint that is at a path.
func FaultsAt(object jsonx.Value, path string) (found []finding.Finding) {
	if !strings.HasSuffix(values.Text(object, "origin"), "/"+values.Text(object, "stream_id")) {
		found = append(found, finding.Finding{
			Code: report.CodeMalformed, Path: path + "/origin", Message: "The origin does not end in / and the stream id.",
		})
	}
	listed := object.Get("window_roots")
	before := WindowsBefore(object)
	if ExceedsTree(before, listed.Len()) {
		found = append(found, finding.Finding{Code: report.CodeMalformed, Path: path + "/window_roots", Message: NoRoom})
	}
	if frontier := object.Get("frontier"); frontier.Exists() {
		if frontier.Len() != bits.OnesCount64(uint64(before)) {
			found = append(found, finding.Finding{
				Code: report.CodeMalformed, Path: path + "/frontier",
				Message: "The frontier has not the length of the tree before the first listed window.",
			})
		}
	}
	return found
}

// WindowsBefore returns how many windows come before those that a checkpoint lists.
func WindowsBefore(checkpoint jsonx.Value) int64 {
	for _, first := range checkpoint.Get("window_roots").Elements() {
		return values.Number(first, "window_no") - 1
	}
	return 0
}

// NoRoom says that a tree would have more leaves than any.
const NoRoom = "No tree has room for that many windows."

// ExceedsTree says whether a tree would have more leaves than any.
func ExceedsTree(before int64, more int) bool { return before > jsonx.MaxInteger-int64(more) }

// Examine examines a checkpoint by itself, but for its cosignatures and, where a bundle gives it, its root.
func Examine(e *examination.Exam, c *Checkpoint, givesRoot bool) {
	const check = report.CheckCheckpointRoot
	e.Looked(check, 1)
	e.Expect(check, c.isRun(), report.CodeCheckpointWindowMismatch, c.Path+"/window_roots",
		"The windows of the checkpoint are no run of windows that ends with it.")
	isFirst := c.No == 1
	if (c.First().No == 1) != isFirst || c.Value.Get("previous_checkpoint_hash").IsText(values.Zeros) != isFirst {
		e.Fault(check, report.CodePreviousCheckpointMismatch, c.Path+"/previous_checkpoint_hash",
			"Checkpoint 1 and no other lists window 1 and follows 64 zeros.")
	}
	event, seq, stream := c.Value.Get("latest_event_hash"), c.Value.Get("to_seq_no"), c.Value.Get("stream_id")
	head := receipt.HeadHash(e.Kernel, event.Canonical(), seq.Canonical(), stream.Canonical())
	if head != values.Hash(c.Value, "stream_head_hash") {
		e.Fault(check, report.CodeHeadHashMismatch, c.Path+"/stream_head_hash", "The latest event does not give the head.")
	}
	if givesRoot {
		holdRoot(e, c)
	}
	examineSeal(e, c)
}

func examineSeal(e *examination.Exam, c *Checkpoint) {
	e.Seal(report.CheckCheckpointSeal, SealForm, c.Value, c.Value.Get("seal"), examination.SealUse{
		Path: c.Path + "/seal", Role: report.RoleCheckpoint, Name: "checkpoint", No: c.No,
		Stream: c.Stream, OwnTime: c.CreatedAt, EventNo: c.To,
	}, nil)
	c.note = e.OwnNote(values.Text(c.Value, "note"), c.Path+"/note", c.Origin, c.Count, c.Root[:], c.KID)
}

// isRun says whether the listed windows are a run that the checkpoint ends with.
func (c *Checkpoint) isRun() bool {
	first := c.First()
	if (first.From == 1) != (first.No == 1) || first.From < first.No || c.No > first.No {
		return false
	}
	for i := range c.Listed {
		one := &c.Listed[i]
		if one.to < one.From {
			return false
		}
		if i > 0 && (one.No != c.Listed[i-1].No+1 || one.From != c.Listed[i-1].to+1) {
			return false
		}
	}
	return c.last().No == c.Count && c.last().to == c.To
}

// holdRoot recomputes the root from the frontier, or from nothing where the list begins with window 1.
func holdRoot(e *examination.Exam, c *Checkpoint) {
	const check = report.CheckCheckpointRoot
	frontier := c.Value.Get("frontier")
	if !frontier.Exists() && c.First().No != 1 {
		e.NotChecked(check, "the root cannot be recomputed without the frontier before the listed windows")
		return
	}
	root, ok := RootOver(e, c, values.Hashes(frontier))
	e.Expect(check, ok && root == c.Root, report.CodeCheckpointRootMismatch, c.Path+"/checkpoint_root",
		"The listed windows do not give the root.")
}

// RootOver returns the root at the size of a checkpoint over its listed windows behind a frontier, and establishes the
// roots on the way; ok is false where the windows do not reach the size.
func RootOver(e *examination.Exam, c *Checkpoint, frontier []merkle.Hash) (root merkle.Hash, ok bool) {
	size := c.First().No - 1
	if before, isThere := e.Kernel.RootOfFrontier(frontier); isThere {
		root, ok = before, size == c.Count
		e.Establish(size, before)
	}
	for i := range c.Listed {
		after, err := e.Kernel.AppendLeaves(uint64(size), frontier, []merkle.Hash{e.Kernel.LeafHash(c.Listed[i].Hash[:])})
		if err != nil {
			return root, false
		}
		size, frontier = size+1, after
		one, _ := e.Kernel.RootOfFrontier(frontier)
		if size == c.Count {
			root, ok = one, true
		}
		e.Establish(size, one)
	}
	return root, ok
}

// examineLone examines a checkpoint by itself.
func examineLone(e *examination.Exam, object jsonx.Value) {
	c := Read(object, "")
	e.About(c.ID, c.Stream, 0, c.To)
	e.Subject.Origin, e.Origin = examination.StatedBy(c.Origin, c.Stream), c.Origin
	Examine(e, c, true)
	cosigned := ReadCosignatures(e, c, witness.KnownTo(e))
	e.Settle()
	JudgeNewest(e, c, cosigned, -1, "/note")
	State(e, c)
	if cosigned.Earliest() > 0 {
		e.Found(report.CheckTrust, "the cosignatures date the tree, and not the checkpoint's head and range")
	}
}

// JudgeNewest judges the cosignatures of the newest checkpoint, and takes their time as proof. A threshold of -1 stands
// for a checkpoint without one.
func JudgeNewest(e *examination.Exam, c *Checkpoint, cosigned *Cosignatures, threshold int64, path string) {
	judgeQuorum(e, cosigned, threshold, path)
	e.ProveTime(cosigned.Earliest(), c.To)
}

// EndsWith holds what a checkpoint says of its last window against that window.
func EndsWith(e *examination.Exam, c *Checkpoint, last *window.Window, path string) {
	for _, name := range []string{"to_seq_no", "stream_head_hash", "policy_digest", "witness_policy_digest"} {
		e.Expect(report.CheckCheckpointRoot, c.Value.Get(name).Equal(last.Value.Get(name)), report.CodeCheckpointWindowMismatch,
			path+"/"+name, "The checkpoint says something else than its last window.")
	}
}
