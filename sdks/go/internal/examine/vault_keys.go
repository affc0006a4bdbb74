package examine

import (
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// lifecycle holds the manifest's statuses against the installations of the range.
func (e *exam) lifecycle(v *provenanceView) {
	const check, path = report.CheckVaultKey, "/manifest/vault_key_lifecycle"
	wanted := map[string]bool{}
	for _, one := range v.part.Get("envelopes").Elements() {
		wanted[text(one.Get("envelope"), "installationId")] = true
	}
	list := items(v.b.manifest.Get("vault_key_lifecycle"))
	keys := map[string]bool{}
	isGood := len(list) == len(wanted)
	for i, one := range list {
		s := readKeyStatus(one, at(path, i))
		isGood = isGood && wanted[s.installation] && s.statusAt == text(v.b.manifest, "created_at") && !keys[string(s.key)] &&
			(i == 0 || text(list[i-1], "installationId") < s.installation)
		keys[string(s.key)] = true
		e.ownKeyID(s, report.CheckVaultKey)
	}
	e.expect(check, isGood, report.CodeVaultLifecycleMismatch, path, "The lifecycle has other installations, order or time.")
}

// readHandovers checks the seals of handovers, and returns those that hold.
func (e *exam) readHandovers(list []jsonx.Value) (holding []handover) {
	const check = report.CheckVaultKey
	e.ascend(check, list, provenancePath+"/handovers", func(before, after jsonx.Value) int {
		return strings.Compare(text(before, "handoverAt"), text(after, "handoverAt"))
	})
	successors := map[string]string{}
	for i, one := range list {
		path := at(provenancePath+"/handovers", i)
		old, successor := unhex(text(one, "publicKeyHex")), unhex(text(one, "newPublicKeyHex"))
		seal := one.Get("seal")
		kid := text(seal, "kid")
		holds := e.expect(check, kid == kidOf(old), report.CodeHandoverInvalid, path+"/seal/kid", "Another key sealed the handover.")
		if holds {
			holds = e.signatureNow(check, old, handoverSeal.message(one, kid), unhex(text(seal, "signature")))
			e.expect(check, holds, report.CodeHandoverInvalid, path+"/seal/signature", "The seal of the handover does not verify.")
		}
		first, isThere := successors[string(old)]
		if !isThere {
			first = string(successor)
			successors[string(old)] = first
		}
		isOnly := e.expect(check, first == string(successor), report.CodeHandoverInvalid, path, "A key hands over to two.")
		if holds && isOnly {
			holding = append(holding, handover{string(old), string(successor)})
		}
	}
	return holding
}

// installationKeys decides which key each installation has.
func (e *exam) installationKeys(v *provenanceView, isVouched bool) {
	var carried []*keyStatus
	if isVouched {
		for i, one := range items(v.b.manifest.Get("vault_key_lifecycle")) {
			carried = append(carried, readKeyStatus(one, at("/manifest/vault_key_lifecycle", i)))
		}
	}
	v.keys = e.knowKeys(report.CheckVaultKey, v.b.stream, carried, e.readHandovers(items(v.part.Get("handovers"))))
	for _, one := range v.envelopes {
		one.key = v.keys.of(one.installation, one.path+"/installationId", nil)
	}
}

// eventsOfKeys holds each event against the life of its key (section 26). Time evidence is known after settle.
func (e *exam) eventsOfKeys(v *provenanceView) {
	for _, one := range v.envelopes {
		event := datedEvent{isProvenBefore: func(instant string) bool { return e.isProvenBefore(instant, one.seqNo) }}
		if one.record.value.Exists() {
			event.receivedAt = textOf(one.record.receivedAt)
		}
		v.keys.event(one.key, event, one.path)
	}
}
