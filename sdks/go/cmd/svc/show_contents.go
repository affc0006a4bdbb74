package main

import (
	"fmt"
	"slices"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/render"
)

// A shownBundle is a bundle whose content is shown. Everything is the file's own word.
type shownBundle struct {
	value   jsonx.Value
	path    string
	isWhole bool
}

// said returns a text of the file, escaped; empty for one that is missing or no text.
func said(value jsonx.Value) string {
	if !value.Exists() {
		return ""
	}
	text, _ := value.Text()
	return render.Escape(text)
}

// number returns a number of the file in digits.
func number(value jsonx.Value) string {
	n, _ := value.Int()
	return fmt.Sprint(n)
}

func (b *shownBundle) artifact(name string) []jsonx.Value {
	list := b.value.At("artifacts", name)
	if !list.Exists() {
		return nil
	}
	return elements(list)
}

func elements(list jsonx.Value) (all []jsonx.Value) {
	for _, one := range list.Elements() {
		all = append(all, one)
	}
	return all
}

// contents returns the page about range, windows, checkpoints, witnesses and keys, as lines of at most 80 columns
// except for the command at its end.
func (b *shownBundle) contents() []string {
	windows := [][]string{{"no", "events", "closed at (the signer's word)", "root"}}
	for _, one := range b.artifact("windows.json") {
		windows = append(windows, []string{number(one.Get("window_no")), rangeOf(one), said(one.Get("closed_at")), render.Shorten(said(one.Get("window_root")))})
	}
	checkpoints := [][]string{{"no", "windows", "to event", "cosigned by", "root"}}
	for _, one := range b.artifact("checkpoints.json") {
		checkpoints = append(checkpoints, []string{
			number(one.Get("checkpoint_no")), "1 to " + number(one.Get("window_count")), number(one.Get("to_seq_no")),
			b.cosignedBy(one), render.Shorten(said(one.Get("checkpoint_root"))),
		})
	}
	anchors := [][]string{{"epoch", "log size", "network", "block"}}
	for _, one := range b.artifact("anchors.json") {
		network, block := "published only", "not mined yet"
		if one.Get("network").Kind() == jsonx.String {
			network = said(one.Get("network"))
		}
		if one.Get("block_number").Kind() == jsonx.Number {
			block = number(one.Get("block_number"))
		}
		anchors = append(anchors, []string{number(one.Get("epoch_no")), number(one.Get("log_size")), network, block})
	}
	forks := [][]string{{"id", "kind"}}
	for _, one := range b.artifact("forks.json") {
		forks = append(forks, []string{said(one.Get("fork_id")), said(one.Get("kind"))})
	}
	lines := append(append(unverified(b.path), ""), table(b.facts(), "  ")...)
	lines = append(lines, b.section("Windows", windows)...)
	lines = append(lines, b.section("Checkpoints", checkpoints)...)
	lines = append(lines, b.section("Witnesses, as its policies name them", b.witnesses())...)
	lines = append(lines, b.section("Keys that sealed it, as it names them", b.sealers())...)
	lines = append(lines, b.section("Anchors", anchors)...)
	lines = append(append(lines, b.section("Fork evidence", forks)...), "")
	how := "To verify " + said(b.value.At("manifest", "bundle_id")) + ", with a key that you got another way:"
	return append(append(lines, render.Wrap(how, "  ", "  ")...), b.command())
}

// command returns the line by which the bundle is verified.
func (b *shownBundle) command() string {
	return "    svc bundles offline-verify " + render.ShellWord(b.path) + " --public-key-hex <key>"
}

func (b *shownBundle) facts() [][]string {
	manifest := b.value.Get("manifest")
	records, payloads := int64(len(b.artifact("receipts.json"))), int64(0)
	if shown := b.value.Get("payloads"); shown.Exists() {
		payloads = int64(shown.Len())
	}
	origin := "no checkpoint names one"
	if all := b.artifact("checkpoints.json"); len(all) > 0 {
		origin = said(all[len(all)-1].Get("origin"))
	}
	shown := render.Grouped(payloads) + " of " + render.Grouped(records)
	if payloads < records {
		shown += "; the others are left out"
	}
	before := "nothing: it starts where the stream does"
	if count, _ := manifest.At("prior_windows", "window_count").Int(); count != 0 {
		before = render.Counted(count, "window", "windows")
	}
	return [][]string{
		{"bundle", said(manifest.Get("bundle_id"))},
		{"stream", said(manifest.Get("stream_id"))},
		{"origin", origin},
		{"events", rangeOf(manifest) + "; " + render.Counted(records, "receipt", "receipts") + " in the file"},
		{"payloads", shown},
		{"before it", before},
		{"made at", said(manifest.Get("created_at")) + " (the signer's word)"},
	}
}

// rangeOf returns the numbers of the events of an object.
func rangeOf(object jsonx.Value) string {
	from, to := number(object.Get("from_seq_no")), number(object.Get("to_seq_no"))
	if from == to {
		return from
	}
	return from + " to " + to
}

// cosignedBy returns the names of the cosigners, from statements beside the checkpoint and from lines of its note.
func (b *shownBundle) cosignedBy(checkpoint jsonx.Value) string {
	var names []string
	if statements := b.value.At("artifacts", "witnesses.json", "statements"); statements.Exists() {
		id, _ := checkpoint.Get("checkpoint_id").Text()
		for _, one := range elements(statements) {
			if name := said(one.Get("witness_id")); one.Get("checkpoint_id").IsText(id) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	note, _ := checkpoint.Get("note").Text()
	// A line of the sealing key is in every note.
	if more := strings.Count(note, "\n\u2014 ") - 1; more > 0 {
		names = append(names, render.Counted(int64(more), "more line", "more lines")+" in its note")
	}
	if len(names) == 0 {
		return "nobody"
	}
	return strings.Join(names, ", ")
}

func (b *shownBundle) witnesses() [][]string {
	rows := [][]string{{"witness", "key", "whose"}}
	policies := b.value.At("artifacts", "witnesses.json", "witness_policies")
	if !policies.Exists() {
		return rows
	}
	for _, policy := range elements(policies) {
		for _, key := range elements(policy.Get("witnessKeys")) {
			whose := "somebody else's"
			if isManaged, _ := key.Get("managed").Bool(); isManaged {
				whose = "the signer's own"
			}
			whose += "; version " + number(policy.Get("policy_version")) + " asks for " + number(policy.Get("threshold"))
			rows = append(rows, []string{said(key.Get("name")), render.Shorten(said(key.Get("public_key_hex"))), whose})
		}
	}
	return rows
}

// sealers returns the keys that sealed parts of the bundle, each with these parts.
func (b *shownBundle) sealers() [][]string {
	var kids []string
	parts := map[string][]string{}
	add := func(part string, kid jsonx.Value) {
		name := said(kid)
		if parts[name] == nil {
			kids = append(kids, name)
		}
		if !slices.Contains(parts[name], part) {
			parts[name] = append(parts[name], part)
		}
	}
	add("the bundle", b.value.At("seal", "kid"))
	for _, one := range b.artifact("receipts.json") {
		add("receipts", one.At("receipt", "kid"))
	}
	for _, part := range []string{"windows", "checkpoints", "anchors"} {
		for _, one := range b.artifact(part + ".json") {
			add(part, one.At("seal", "kid"))
		}
	}
	var carried []string
	for _, one := range elements(b.value.Get("key_hints")) {
		carried = append(carried, said(one.Get("kid")))
	}
	rows := [][]string{{"key", "what"}}
	for _, kid := range kids {
		where := "; its key is not in the file"
		if slices.Contains(carried, kid) {
			where = "; its key travels in the file"
		}
		rows = append(rows, []string{kid, strings.Join(parts[kid], ", ") + where})
	}
	return rows
}

// section returns a list with its heading as the first row; nothing for a list without rows.
func (b *shownBundle) section(title string, rows [][]string) []string {
	count := len(rows) - 1
	if count == 0 {
		return nil
	}
	if !b.isWhole && count > shownRows {
		rows = rows[:1+shownRows]
	}
	lines := append([]string{"", "  " + title}, table(rows, "    ")...)
	if more := count - (len(rows) - 1); more > 0 {
		lines = append(lines, "    ... and "+render.Grouped(int64(more))+" more; --all shows every one.")
	}
	return lines
}
