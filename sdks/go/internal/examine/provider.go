package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// loneResult examines a provider's result by itself, which nobody signed (protocol section 29).
func (e *exam) loneResult(object jsonx.Value) {
	e.providerResult(object, func(member string) (string, string) { return "/" + member, "provider_result_inconsistent" })
	e.unsigned("Nobody signed a provider's result: it shows nothing without the disclosure that opens it.", report.AskDisclosure)
}

// providerResult holds what a result says against itself. `place` tells path and code of a member's fault.
func (e *exam) providerResult(result jsonx.Value, place func(member string) (path, code string)) {
	const check = report.CheckProvider
	e.looked(check, 1)
	fault := func(member, message string) {
		path, code := place(member)
		e.fault(check, report.Code(code), path, message)
	}
	isDetected := flag(result, "detected")
	if isDetected && text(result, "operation") != "detect" {
		fault("detected", "Only detecting finds a mark.")
		return
	}
	recorded, presented := result.Get("record_marked_asset_sha256"), result.Get("presented_sha256")
	media := text(result, "media")
	mayMatch := isDetected && (media == "image" || media == "audio" || media == "video") &&
		result.Get("registration_ref").Kind() == jsonx.String && recorded.Kind() == jsonx.String
	if !has(result, "presented_matches_record") {
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
	if flag(result, "presented_matches_record") != presented.Equal(recorded) {
		fault("presented_matches_record", "The match is not the equality of the two hashes.")
	} else if !presented.Equal(recorded) {
		note := "presented_mismatch_observed: the presented file is not the one of the registration"
		if before := e.tally(check).note; before != "" {
			note += "; " + before
		}
		e.notChecked(check, note)
	}
}
