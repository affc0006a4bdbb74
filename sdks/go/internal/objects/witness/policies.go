package witness

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

var (
	// PolicyLine is the first line under the digest of a policy.
	PolicyLine = digest.Line("policy")
	// WitnessPolicyLine is the first line under the digest of a witness policy.
	WitnessPolicyLine = digest.Line("witness-policy")
)

// A Book is the policies that an object shows, by their digests in hex (protocol section 6).
type Book struct {
	Policies, WitnessPolicies map[string]jsonx.Value
}

// ReadBook reads the policies of both sorts that an object shows.
func ReadBook(k kernel.Kernel, shown jsonx.Value) *Book {
	read := func(line []byte, list jsonx.Value) map[string]jsonx.Value {
		book := map[string]jsonx.Value{}
		for _, one := range list.Elements() {
			book[values.Hex(k.Digest(line, one.Canonical()))] = one
		}
		return book
	}
	return &Book{
		read(PolicyLine, shown.Get("policies")), read(WitnessPolicyLine, shown.Get("witness_policies")),
	}
}

// PolicyFaults returns the faults of form between the members of a witness policy.
func PolicyFaults(policy jsonx.Value, path string) (found []finding.Finding) {
	ids, keys := map[string]bool{}, map[string]bool{}
	isTwice := false
	for _, key := range policy.Get("witnessKeys").Elements() {
		ids[values.Text(key, "witness_id")] = true
		public := values.Text(key, "public_key_hex")
		isTwice = isTwice || keys[public]
		keys[public] = true
	}
	// It is one fault of the policy, whichever it is.
	switch {
	case isTwice:
		found = append(found, finding.Finding{
			Code: report.CodeMalformed, Path: path, Message: "A public key appears twice in the witness policy.",
		})
	case values.Number(policy, "threshold") > int64(len(ids)):
		found = append(found, finding.Finding{
			Code: report.CodeMalformed, Path: path, Message: "The witness policy asks for more witnesses than it lists.",
		})
	}
	return found
}

// ByStatement orders statements by window_count, witness_id and key_epoch.
func ByStatement(before, after jsonx.Value) int {
	if order := examination.ByNumber("window_count")(before, after); order != 0 {
		return order
	}
	if order := before.Get("witness_id").Compare(after.Get("witness_id")); order != 0 {
		return order
	}
	return examination.ByNumber("key_epoch")(before, after)
}
