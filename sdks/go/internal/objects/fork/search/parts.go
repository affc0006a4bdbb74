package search

import (
	"encoding/binary"
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/note"
	"svc.example/go/internal/objects/fork"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Parts are what an object shows that could contradict another one, in the order in which it is there (protocol
// section 11, the search).
type Parts struct {
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

// Kinds are the kinds that have parts.
func Kinds() []report.Kind {
	return []report.Kind{
		report.KindReceipt, report.KindStream, report.KindWindow, report.KindCheckpoint, report.KindConsistency,
		report.KindBundle, report.KindPortableReceipt, report.KindAnchor,
	}
}

// Read takes an object apart that has the form of its kind. It verifies nothing.
func Read(k kernel.Kernel, kind report.Kind, object jsonx.Value) *Parts {
	p := &Parts{k: k, leaves: &knownLeaves{k: k, single: map[fork.Tree]map[int64]provenLeaf{}}}
	for _, hint := range object.Get("key_hints").Elements() {
		p.hints = append(p.hints, keyHint{values.Text(hint, "kid"), values.Text(hint, "public_key_hex")})
	}
	p.endorsements = values.Items(object.Get("key_endorsements"))
	switch kind {
	case report.KindReceipt:
		p.receipts = []jsonx.Value{object}
	case report.KindStream:
		p.receipts = values.Items(object.Get("records"))
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
		p.addNote(values.Text(one, "note"))
	}
	for _, one := range p.checkpoints {
		p.leaves.addCheckpoint(one)
	}
	for _, one := range p.anchors {
		p.leaves.addAnchor(one)
	}
	return p
}

// ReadNote returns the parts of the text of a note: none, if it is that of no tree.
func ReadNote(k kernel.Kernel, whole string) *Parts {
	p := Read(k, "", jsonx.Value{})
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

func (p *Parts) bundle(object jsonx.Value) {
	artifacts := object.Get("artifacts")
	witnesses := artifacts.Get("witnesses.json")
	p.receipts = values.Items(artifacts.Get("receipts.json"))
	p.windows = values.Items(artifacts.Get("windows.json"))
	p.checkpoints = values.Items(artifacts.Get("checkpoints.json"))
	p.anchors = values.Items(artifacts.Get("anchors.json"))
	p.policies = values.Items(witnesses.Get("policies"))
	p.addCosigned(witnesses)
	prior := object.At("manifest", "prior_windows")
	run := window.Run{Prior: values.Number(prior, "window_count"), Frontier: values.Hashes(prior.Get("frontier"))}
	for _, one := range p.windows {
		run.Hashes = append(run.Hashes, window.SealForm.Hash(one))
	}
	p.leaves.addRun(run)
}

func (p *Parts) portable(object jsonx.Value) {
	p.receipts = []jsonx.Value{object.Get("receipt")}
	own, last := object.Get("window"), object.Get("last_window")
	if own.Exists() {
		p.windows = append(p.windows, p.withInclusion(own, object.Get("inclusion")))
	}
	if last.Exists() {
		p.windows = append(p.windows, last.Get("window"))
	}
	p.anchors = present(object, "anchor")
	p.checkpoints = present(object, "checkpoint")
	if len(p.checkpoints) == 0 {
		return
	}
	tree := fork.TreeOfCheckpoint(p.checkpoints[0])
	add := func(own, path jsonx.Value) {
		p.leaves.addLeaf(tree, values.Number(own, "window_no")-1, provenLeaf{window.SealForm.Hash(own), values.Hashes(path)})
	}
	add(own, object.At("checkpoint_inclusion", "path"))
	if last.Exists() {
		add(last.Get("window"), last.Get("path"))
	}
	witnesses := object.Get("witnesses")
	p.policies = values.Items(witnesses.Get("policies"))
	p.addCosigned(witnesses)
}

// withInclusion returns a window with the inclusion that is beside it, unless it has inclusions itself.
func (p *Parts) withInclusion(window, inclusion jsonx.Value) jsonx.Value {
	if values.Has(window, "inclusions") {
		return window
	}
	whole := values.Without(window, nil, jsonx.Members{{Name: "inclusions", Value: []any{inclusion}}})
	tree, err := p.k.ParseJSON(whole, jsonx.Limits{})
	if err != nil {
		panic(err)
	}
	return tree.Root()
}

// AddPolicy adds a policy that the object does not show.
func (p *Parts) AddPolicy(policy jsonx.Value) { p.policies = append(p.policies, policy) }

// addNote adds the note of a tree, and ignores any other text.
func (p *Parts) addNote(whole string) {
	n, ok := note.Parse(whole)
	if !ok {
		return
	}
	if head, ok := fork.ReadHead(n); ok {
		p.notes = append(p.notes, treeNote{whole, head})
	}
}

// addCosigned adds the notes of checkpoints with the cosignatures that are beside them as statements, and the keys of
// these witnesses as hints.
func (p *Parts) addCosigned(witnesses jsonx.Value) {
	var keys []jsonx.Value
	for _, policy := range witnesses.Get("witness_policies").Elements() {
		keys = append(keys, values.Items(policy.Get("witnessKeys"))...)
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
		name, raw := values.Text(keys[key], "name"), values.Unhex(values.Text(keys[key], "public_key_hex"))
		signed := binary.BigEndian.AppendUint64(nil, uint64(values.Number(statement, "cosigned_at")))
		line := note.Line{
			Name: name, ID: note.IDOf(name, note.Cosignature, raw), Signature: append(signed, values.Unhex(values.Text(statement, "signature"))...),
		}
		p.addNote(values.Text(p.checkpoints[checkpoint], "note") + line.String())
		p.hints = append(p.hints, keyHint{values.KID(raw), values.Text(keys[key], "public_key_hex")})
	}
}
