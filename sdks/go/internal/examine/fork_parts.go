package examine

import (
	"encoding/binary"
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/note"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A forkParts is what an object shows that could contradict another one, in the order in which it stands there
// (protocol section 11, the search).
type forkParts struct {
	k                                       kernel.Kernel
	receipts, windows, checkpoints, anchors []jsonx.Value
	notes                                   []treeNote
	policies, endorsements                  []jsonx.Value
	hints                                   []keyHint
	leaves                                  *knownLeaves
}

// A treeNote is a note of a tree, as text.
type treeNote struct {
	whole string
	head  note.Head
}

type keyHint struct{ kid, key string }

// comparable are the kinds that have parts.
var comparable = []report.Kind{
	report.KindReceipt, report.KindStream, report.KindWindow, report.KindCheckpoint, report.KindConsistency,
	report.KindBundle, report.KindPortableReceipt, report.KindAnchor,
}

// readParts takes an object apart that has the form of its kind. It verifies nothing.
func readParts(k kernel.Kernel, kind report.Kind, object jsonx.Value) *forkParts {
	p := &forkParts{k: k, leaves: &knownLeaves{k: k, single: map[forkTree]map[int64]provenLeaf{}}}
	for _, hint := range object.Get("key_hints").Elements() {
		p.hints = append(p.hints, keyHint{text(hint, "kid"), text(hint, "public_key_hex")})
	}
	p.endorsements = items(object.Get("key_endorsements"))
	switch kind {
	case report.KindReceipt:
		p.receipts = []jsonx.Value{object}
	case report.KindStream:
		p.receipts = items(object.Get("records"))
	case report.KindWindow:
		p.windows = []jsonx.Value{object}
	case report.KindCheckpoint:
		p.checkpoints = []jsonx.Value{object}
	case report.KindAnchor:
		p.anchors = []jsonx.Value{object}
	case report.KindConsistency:
		p.checkpoints = present(object, "from_checkpoint", "to_checkpoint")
		p.anchors = present(object, "from_anchor", "to_anchor")
	case report.KindBundle:
		p.bundle(object)
	case report.KindPortableReceipt:
		p.portable(object)
	}
	for _, one := range slices.Concat(p.checkpoints, p.anchors) {
		p.addNote(text(one, "note"))
	}
	for _, one := range p.checkpoints {
		p.leaves.addCheckpoint(one)
	}
	for _, one := range p.anchors {
		p.leaves.addAnchor(one)
	}
	return p
}

// notePart returns the parts of the text of a note: none, if it is that of no tree.
func notePart(k kernel.Kernel, whole string) *forkParts {
	p := readParts(k, "", jsonx.Value{})
	p.addNote(whole)
	return p
}

// present returns the members of an object that are there.
func present(object jsonx.Value, names ...string) (found []jsonx.Value) {
	for _, name := range names {
		if value := object.Get(name); value.Exists() {
			found = append(found, value)
		}
	}
	return found
}

func (p *forkParts) bundle(object jsonx.Value) {
	artifacts := object.Get("artifacts")
	witnesses := artifacts.Get("witnesses.json")
	p.receipts = items(artifacts.Get("receipts.json"))
	p.windows = items(artifacts.Get("windows.json"))
	p.checkpoints = items(artifacts.Get("checkpoints.json"))
	p.anchors = items(artifacts.Get("anchors.json"))
	p.policies = items(witnesses.Get("policies"))
	p.addCosigned(witnesses)
	prior := object.At("manifest", "prior_windows")
	run := windowRun{prior: number(prior, "window_count"), frontier: hashes(prior.Get("frontier"))}
	for _, one := range p.windows {
		run.hashes = append(run.hashes, windowSeal.hash(one))
	}
	p.leaves.addRun(run)
}

func (p *forkParts) portable(object jsonx.Value) {
	p.receipts = []jsonx.Value{object.Get("receipt")}
	window, last := object.Get("window"), object.Get("last_window")
	if window.Exists() {
		p.windows = append(p.windows, p.withInclusion(window, object.Get("inclusion")))
	}
	if last.Exists() {
		p.windows = append(p.windows, last.Get("window"))
	}
	p.anchors = present(object, "anchor")
	p.checkpoints = present(object, "checkpoint")
	if len(p.checkpoints) == 0 {
		return
	}
	tree := treeOf(p.checkpoints[0])
	add := func(window, path jsonx.Value) {
		p.leaves.addLeaf(tree, number(window, "window_no")-1, provenLeaf{windowSeal.hash(window), hashes(path)})
	}
	add(window, object.At("checkpoint_inclusion", "path"))
	if last.Exists() {
		add(last.Get("window"), last.Get("path"))
	}
	witnesses := object.Get("witnesses")
	p.policies = items(witnesses.Get("policies"))
	p.addCosigned(witnesses)
}

// withInclusion returns a window with the inclusion that stands beside it, unless it has inclusions itself.
func (p *forkParts) withInclusion(window, inclusion jsonx.Value) jsonx.Value {
	if has(window, "inclusions") {
		return window
	}
	whole := without(window, nil, jsonx.Members{{Name: "inclusions", Value: []any{inclusion}}})
	tree, err := p.k.ParseJSON(whole, jsonx.Limits{})
	if err != nil {
		panic(err)
	}
	return tree.Root()
}

// addNote adds the note of a tree, and ignores any other text.
func (p *forkParts) addNote(whole string) {
	n, ok := note.Parse(whole)
	if !ok {
		return
	}
	if head, ok := headOf(n); ok {
		p.notes = append(p.notes, treeNote{whole, head})
	}
}

// headOf reads the text of a note as that of a tree, with any lines behind it; its origin is a key name.
func headOf(n *note.Note) (head note.Head, ok bool) {
	head, ok = note.ParseHead(n.Text)
	if !ok || !schema.Matches(tables.FormatKeyName, []byte(head.Origin)) {
		return note.Head{}, false
	}
	return head, true
}

// addCosigned adds the notes of checkpoints with the cosignatures that stand beside them as statements, and the keys of
// these witnesses as hints.
func (p *forkParts) addCosigned(witnesses jsonx.Value) {
	var keys []jsonx.Value
	for _, policy := range witnesses.Get("witness_policies").Elements() {
		keys = append(keys, items(policy.Get("witnessKeys"))...)
	}
	for _, statement := range witnesses.Get("statements").Elements() {
		checkpoint := slices.IndexFunc(p.checkpoints, func(one jsonx.Value) bool {
			return one.Get("checkpoint_id").Equal(statement.Get("checkpoint_id"))
		})
		key := slices.IndexFunc(keys, func(one jsonx.Value) bool {
			return one.Get("witness_id").Equal(statement.Get("witness_id")) && one.Get("key_epoch").Equal(statement.Get("key_epoch"))
		})
		if checkpoint < 0 || key < 0 {
			continue
		}
		name, raw := text(keys[key], "name"), unhex(text(keys[key], "public_key_hex"))
		signed := binary.BigEndian.AppendUint64(nil, uint64(number(statement, "cosigned_at")))
		line := note.Line{
			Name: name, ID: note.IDOf(name, note.Cosignature, raw), Signature: append(signed, unhex(text(statement, "signature"))...),
		}
		p.addNote(text(p.checkpoints[checkpoint], "note") + line.String())
		p.hints = append(p.hints, keyHint{kidOf(raw), text(keys[key], "public_key_hex")})
	}
}
