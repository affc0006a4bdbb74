// Package manifest reads a bundle as its manifest describes it, and examines the seal of the manifest (protocol section
// 14).
package manifest

import (
	"math/bits"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A Frame is a bundle as its manifest describes it: the parts, the range of events, and the windows before it.
type Frame struct {
	Value, Manifest, Artifacts jsonx.Value
	Stream                     string
	From, To                   int64
	// Prior is how many windows come before the bundle, and Frontier the frontier of their tree.
	Prior    int64
	Frontier []merkle.Hash
}

// Read reads the frame of a bundle.
func Read(object jsonx.Value) Frame {
	f := Frame{Value: object, Manifest: object.Get("manifest"), Artifacts: object.Get("artifacts")}
	f.Stream = values.Text(f.Manifest, "stream_id")
	f.From, f.To = values.Number(f.Manifest, "from_seq_no"), values.Number(f.Manifest, "to_seq_no")
	prior := f.Manifest.Get("prior_windows")
	f.Prior, f.Frontier = values.Number(prior, "window_count"), values.Hashes(prior.Get("frontier"))
	return f
}

var sealForm = examination.NewSealForm(examination.ProtocolWord, "bundle")

// FrontierFaults returns the fault of form of the windows before a bundle, where their frontier has not the length of
// their tree.
func FrontierFaults(prior jsonx.Value) []finding.Finding {
	if prior.Get("frontier").Len() == bits.OnesCount64(uint64(values.Number(prior, "window_count"))) {
		return nil
	}
	return []finding.Finding{{
		Code: report.CodeMalformed, Path: "/manifest/prior_windows/frontier", Message: "The frontier has not the length of its tree.",
	}}
}

// ExamineSeal examines the seal over a bundle's manifest. isVouched says, after Settle, whether it holds and trust
// reaches its signer.
func ExamineSeal(e *examination.Exam, manifest, seal jsonx.Value, path string) (isVouched func() bool) {
	holds := false
	reached := e.Seal(report.CheckBundleSeal, sealForm, manifest, seal, examination.SealUse{
		Path: path, Role: report.RoleBundle, Name: "the manifest of the bundle", Stream: values.Text(manifest, "stream_id"),
		OwnTime: values.Text(manifest, "created_at"),
	}, func(ok bool) { holds = ok })
	return func() bool { return holds && reached != report.None }
}
