package provenance

import (
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/keystatus"
	"svc.example/go/report"
)

// holdLifecycle holds the manifest's statuses against the installations of the range.
func holdLifecycle(e *examination.Exam, v *View) {
	const check, path = report.CheckVaultKey, "/manifest/vault_key_lifecycle"
	wanted := map[string]bool{}
	for _, one := range v.Part.Get("envelopes").Elements() {
		wanted[values.Text(one.Get("envelope"), "installationId")] = true
	}
	list := values.Items(v.Bundle.Manifest.Get("vault_key_lifecycle"))
	keys := map[string]bool{}
	isGood := len(list) == len(wanted)
	for i, one := range list {
		s := trust.ReadKeyStatus(one, values.At(path, i))
		isGood = isGood && wanted[s.Installation] && s.StatusAt == values.Text(v.Bundle.Manifest, "created_at") && !keys[string(s.Key)] &&
			(i == 0 || values.Text(list[i-1], "installationId") < s.Installation)
		keys[string(s.Key)] = true
		keystatus.HoldKeyID(e, s, report.CheckVaultKey)
	}
	e.Expect(check, isGood, report.CodeVaultLifecycleMismatch, path, "The lifecycle has other installations, order or time.")
}

// readHandovers checks the seals of handovers, and returns those that hold.
func readHandovers(e *examination.Exam, list []jsonx.Value) (holding []keystatus.Handover) {
	const check = report.CheckVaultKey
	e.Ascend(check, list, partPath+"/handovers", func(before, after jsonx.Value) int {
		return strings.Compare(values.Text(before, "handoverAt"), values.Text(after, "handoverAt"))
	})
	successors := map[string]string{}
	for i, one := range list {
		path := values.At(partPath+"/handovers", i)
		old, successor := values.Unhex(values.Text(one, "publicKeyHex")), values.Unhex(values.Text(one, "newPublicKeyHex"))
		seal := one.Get("seal")
		kid := values.Text(seal, "kid")
		holds := e.Expect(check, kid == values.KID(old), report.CodeHandoverInvalid, path+"/seal/kid", "Another key sealed the handover.")
		if holds {
			holds = e.SignatureNow(check, old, handoverSeal.Message(one, kid), values.Unhex(values.Text(seal, "signature")))
			e.Expect(check, holds, report.CodeHandoverInvalid, path+"/seal/signature", "The seal of the handover does not verify.")
		}
		first, isThere := successors[string(old)]
		if !isThere {
			first = string(successor)
			successors[string(old)] = first
		}
		isOnly := e.Expect(check, first == string(successor), report.CodeHandoverInvalid, path, "A key hands over to two.")
		if holds && isOnly {
			holding = append(holding, keystatus.Handover{Old: string(old), Successor: string(successor)})
		}
	}
	return holding
}

// installationKeys decides which key each installation has.
func installationKeys(e *examination.Exam, v *View, isVouched bool) {
	var carried []*trust.KeyStatus
	if isVouched {
		for i, one := range values.Items(v.Bundle.Manifest.Get("vault_key_lifecycle")) {
			carried = append(carried, trust.ReadKeyStatus(one, values.At("/manifest/vault_key_lifecycle", i)))
		}
	}
	v.Keys = keystatus.Know(e, report.CheckVaultKey, v.Bundle.Stream, carried, readHandovers(e, values.Items(v.Part.Get("handovers"))))
	for _, one := range v.Envelopes {
		one.Key = v.Keys.Key(one.Installation, one.Path+"/installationId", nil)
	}
}

// HoldEvents holds each event against the life of its key (section 26). Time evidence is known after Settle.
func HoldEvents(e *examination.Exam, v *View) {
	for _, one := range v.Envelopes {
		event := keystatus.Event{IsProvenBefore: func(instant string) bool { return e.IsProvenBefore(instant, one.SeqNo) }}
		if one.Record.Value.Exists() {
			event.ReceivedAt = values.TextOf(one.Record.ReceivedAt)
		}
		v.Keys.HoldEvent(one.Key, event, one.Path)
	}
}
