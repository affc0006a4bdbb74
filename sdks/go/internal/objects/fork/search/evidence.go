package search

import (
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
)

// Evidence returns the evidence of a candidate, found in two objects.
func (c *Candidate) Evidence(forkID, detectedAt string, a, b *Parts) jsonx.Members {
	members := jsonx.Members{
		{Name: "fork_id", Value: forkID}, {Name: "stream_id", Value: nil}, {Name: "kind", Value: c.kind},
		{Name: "left", Value: c.left}, {Name: "right", Value: c.right}, {Name: "divergence", Value: nil},
		{Name: "detected_at", Value: detectedAt},
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
func carriedKeys(a, b *Parts, c *Candidate) (members jsonx.Members) {
	kid, other := sealerOf(c.left), sealerOf(c.right)
	isOne := kid == other && kid != ""
	var hints []any
	seen := map[string]bool{}
	for _, one := range slices.Concat(a.hints, b.hints) {
		if seen[one.kid] || values.KID(values.Unhex(one.key)) != one.kid || (isOne && one.kid != kid) {
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
		return values.Text(seal, "kid")
	}
	return values.Text(object.Get("receipt"), "kid")
}
