package examine

import (
	"errors"
	"slices"
	"unicode/utf8"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/note"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A ForkInput is two objects to compare, and the members of the evidence that are not found in them.
type ForkInput struct {
	Left, Right        []byte
	ForkID, DetectedAt string
	// Policy tells keys that the objects do not carry; nil for none. Its demands do not matter here.
	Policy *Policy
	// Policies are policies that neither object shows, by which an omission is judged; each is one JSON text.
	Policies [][]byte
	// Kinds are the kinds of evidence to look for; nil for all.
	Kinds  []string
	Kernel kernel.Kernel
}

// FindFork looks for a contradiction between two objects (protocol section 11, the search). It returns J of the
// evidence, and nil where it finds none. The error is a [*Refusal].
func FindFork(in ForkInput) ([]byte, error) {
	var sides [2]*forkParts
	for i, wire := range [][]byte{in.Left, in.Right} {
		parts, err := comparableParts(in.Kernel, wire)
		if err != nil {
			return nil, err
		}
		sides[i] = parts
	}
	a, b := sides[0], sides[1]
	for _, text := range in.Policies {
		tree, err := in.Kernel.ParseJSON(text, jsonx.Limits{})
		if err != nil || len(shapeFindings("policy", tree.Root(), 1)) > 0 {
			return nil, refusal("malformed")
		}
		a.policies = append(a.policies, tree.Root())
	}
	policy := NobodyTrusted()
	if in.Policy != nil {
		policy = in.Policy.alone()
	}
	for _, search := range forkSearches {
		if in.Kinds != nil && !slices.Contains(in.Kinds, search.kind) {
			continue
		}
		for candidate := range search.of(a, b) {
			evidence, err := jsonx.Encode(evidenceOf(in, a, b, candidate))
			if err != nil {
				return nil, err
			}
			r, err := Verify(Input{Bytes: evidence, Kind: report.KindFork, Policy: policy, Kernel: in.Kernel})
			if err != nil {
				return nil, err
			}
			if r.Verdict != report.Rejected {
				return evidence, nil
			}
		}
	}
	return nil, nil
}

// IsForkID says whether a text is an identifier of fork evidence.
func IsForkID(text string) bool { return schema.Matches(tables.FormatForkID, []byte(text)) }

// IsTime says whether a text is a time as the service makes it.
func IsTime(text string) bool { return schema.Matches(tables.FormatServiceTime, []byte(text)) }

// comparableParts reads an object with parts, or the text of a signed note, which is no JSON.
func comparableParts(k kernel.Kernel, wire []byte) (*forkParts, error) {
	object, kind, err := source(k, wire, comparable...)
	var refused *Refusal
	if errors.As(err, &refused) && refused.Offset >= 0 && utf8.Valid(wire) {
		if _, ok := note.Parse(string(wire)); ok {
			return notePart(k, string(wire)), nil
		}
	}
	if err != nil {
		return nil, err
	}
	return readParts(k, kind, object), nil
}

// evidenceOf returns the evidence of a candidate.
func evidenceOf(in ForkInput, a, b *forkParts, c forkCandidate) jsonx.Members {
	members := jsonx.Members{
		{Name: "fork_id", Value: in.ForkID}, {Name: "stream_id", Value: nil}, {Name: "kind", Value: c.kind},
		{Name: "left", Value: c.left}, {Name: "right", Value: c.right}, {Name: "divergence", Value: nil},
		{Name: "detected_at", Value: in.DetectedAt},
	}
	if c.stream != "" {
		members[1].Value = c.stream
	}
	if c.divergence != nil {
		members[5].Value = c.divergence
	}
	if c.policy.Exists() {
		members = append(members, jsonx.Member{Name: "policy", Value: c.policy})
	}
	return append(members, carriedKeys(a, b, c)...)
}

// carriedKeys returns the keys that come with the evidence: that of the sides where both name one, otherwise all that
// could relate them.
func carriedKeys(a, b *forkParts, c forkCandidate) (members jsonx.Members) {
	kid, other := sealerOf(c.left), sealerOf(c.right)
	isOne := kid == other && kid != ""
	var hints []any
	seen := map[string]bool{}
	for _, one := range slices.Concat(a.hints, b.hints) {
		if seen[one.kid] || kidOf(unhex(one.key)) != one.kid || (isOne && one.kid != kid) {
			continue
		}
		seen[one.kid] = true
		hints = append(hints, jsonx.Members{{Name: "kid", Value: one.kid}, {Name: "public_key_hex", Value: one.key}})
	}
	if len(hints) > 0 {
		members = append(members, jsonx.Member{Name: "key_hints", Value: hints})
	}
	if isOne {
		return members
	}
	var endorsements []any
	for _, one := range slices.Concat(a.endorsements, b.endorsements) {
		if text := string(one.Canonical()); !seen[text] {
			seen[text] = true
			endorsements = append(endorsements, one)
		}
	}
	if len(endorsements) > 0 {
		members = append(members, jsonx.Member{Name: "key_endorsements", Value: endorsements})
	}
	return members
}

// sealerOf returns the kid that a side names; empty for a note.
func sealerOf(side any) string {
	object, ok := side.(jsonx.Value)
	if !ok {
		return ""
	}
	if seal := object.Get("seal"); seal.Exists() {
		return text(seal, "kid")
	}
	return text(object.Get("receipt"), "kid")
}
