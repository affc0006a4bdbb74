// Package provider examines results of providers, and the policies that allow providers (protocol section 29).
package provider

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Form returns how a provider's result is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "provider-result", Examine: examine}
}

// EarlierForm returns how a provider's result of version 0.1 is examined.
func EarlierForm() *examination.Form {
	return &examination.Form{Schema: "earlier-provider-result", Examine: examine}
}

// examine examines a provider's result by itself, which nobody signed (protocol section 29).
func examine(e *examination.Exam, object jsonx.Value) {
	HoldResult(e, object, func(member string) (string, string) { return "/" + member, "provider_result_inconsistent" })
	e.Unsigned("Nobody signed a provider's result: it shows nothing without the disclosure that opens it.", report.AskDisclosure)
}

// HoldResult holds what a result says against itself. `place` tells path and code of a member's fault.
func HoldResult(e *examination.Exam, result jsonx.Value, place func(member string) (path, code string)) {
	const check = report.CheckProvider
	e.Looked(check, 1)
	fault := func(member, message string) {
		path, code := place(member)
		e.Fault(check, report.Code(code), path, message)
	}
	isDetected := values.Flag(result, "detected")
	if isDetected && values.Text(result, "operation") != "detect" {
		fault("detected", "Only detecting finds a mark.")
		return
	}
	recorded, presented := result.Get("record_marked_asset_sha256"), result.Get("presented_sha256")
	media := values.Text(result, "media")
	mayMatch := isDetected && (media == "image" || media == "audio" || media == "video") &&
		result.Get("registration_ref").Kind() == jsonx.String && recorded.Kind() == jsonx.String
	if !values.Has(result, "presented_matches_record") {
		return
	}
	match := result.Get("presented_matches_record")
	if (match.Kind() == jsonx.Bool) != mayMatch {
		fault("presented_matches_record", "A match is stated exactly where a marked file of a registration was detected.")
		return
	}
	if !mayMatch {
		return
	}
	if presented.Kind() != jsonx.String {
		fault("presented_sha256", "The presented file is not named.")
		return
	}
	if values.Flag(result, "presented_matches_record") != presented.Equal(recorded) {
		fault("presented_matches_record", "The match is not the equality of the two hashes.")
	} else if !presented.Equal(recorded) {
		note := "presented_mismatch_observed: the presented file is not the one of the registration"
		if before := e.Tally(check).Note; before != "" {
			note += "; " + before
		}
		e.NotChecked(check, note)
	}
}
