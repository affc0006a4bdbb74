package examine

import (
	"svc.example/go/internal/tables"
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
		e.ownKeyID(s)
	}
	e.expect(check, isGood, report.CodeVaultLifecycleMismatch, path, "The lifecycle has other installations, order or time.")
}

// readHandovers checks the seals of handovers, and keeps those that hold: from the old key to the new one.
func (e *exam) readHandovers(v *provenanceView) {
	const check = report.CheckVaultKey
	v.handovers = map[string]string{}
	list := items(v.part.Get("handovers"))
	for i, one := range list {
		path := at(provenancePath+"/handovers", i)
		old, successor := unhex(text(one, "publicKeyHex")), unhex(text(one, "newPublicKeyHex"))
		seal := one.Get("seal")
		kid := text(seal, "kid")
		if !e.expect(check, kid == kidOf(old), report.CodeHandoverInvalid, path+"/seal/kid", "Another key sealed the handover.") {
			continue
		}
		holds := e.signatureNow(check, old, handoverSeal.message(one, kid), unhex(text(seal, "signature")))
		if !e.expect(check, holds, report.CodeHandoverInvalid, path+"/seal/signature", "The seal of the handover does not verify.") {
			continue
		}
		if other, ok := v.handovers[string(old)]; ok && other != string(successor) {
			e.fault(check, report.CodeHandoverInvalid, path, "A key hands over to two.")
			continue
		}
		v.handovers[string(old)] = string(successor)
	}
}

// installationKeys decides which key each installation has.
func (e *exam) installationKeys(v *provenanceView, isVouched bool) {
	statuses := map[string][]*keyStatus{}
	byKey := map[string]*keyStatus{}
	for i, one := range items(v.b.manifest.Get("vault_key_lifecycle")) {
		s := readKeyStatus(one, at("/manifest/vault_key_lifecycle", i))
		if isVouched {
			statuses[s.installation] = append(statuses[s.installation], s)
			byKey[string(s.key)] = s
		}
	}
	keyOf := func(installation string) []byte {
		if pin, ok := e.policy.vaults.vaults[installation]; ok {
			return pin.key
		}
		if list := statuses[installation]; len(list) > 0 {
			return list[0].key
		}
		return nil
	}
	reached := map[string]bool{}
	for _, pin := range e.policy.vaults.vaults {
		at := string(pin.key)
		for range tables.MaxHandoverChain {
			next, ok := v.handovers[at]
			s := byKey[at]
			isEnded := s != nil && s.revokedAt != ""
			if !ok || e.policy.revoked[kidOf([]byte(at))] ||
				(isEnded && (s.reason == "key_compromise" || string(keyOf(s.successor)) != next)) {
				break
			}
			reached[next] = true
			at = next
		}
	}
	for _, one := range v.envelopes {
		if known := v.keys[one.installation]; known != nil {
			one.key = known
			continue
		}
		all := append(statuses[one.installation], e.countingStatuses(one.installation, v.b.stream)...)
		e.isHandedOver = func(key []byte) bool { return reached[string(key)] }
		one.key = e.vaultKey(one.installation, all, one.path+"/installationId")
		e.isHandedOver = nil
		v.keys[one.installation] = one.key
	}
}

// eventsOfKeys holds each event against the life of its key (section 26).
func (e *exam) eventsOfKeys(v *provenanceView) {
	const check = report.CheckVaultKey
	for _, one := range v.envelopes {
		k := one.key
		if k == nil || k.latest == nil || !one.record.value.Exists() {
			continue
		}
		s, when := k.latest, textOf(one.record.receivedAt)
		uncertain := finding{code: report.CodeVaultRevocationTimeUncertain, path: one.path, message: "The end of the key was stated backwards."}
		isLost := s.reason == "key_compromise" || s.reason == "unspecified"
		switch {
		case when < s.enrolledAt:
			e.fault(check, report.CodeVaultKeyNotYetEnrolled, one.path, "The key was not yet enrolled.")
		case s.revokedAt == "":
		case when >= s.revokedAt && s.isReconstructed && when < k.toldAt:
			e.distrust(check, uncertain, k.installation)
		case when >= s.revokedAt:
			e.fault(check, report.CodeVaultKeyRevoked, one.path, "The key had ended.")
		case e.isProvenBefore(s.revokedAt, one.seqNo):
			e.found(check, "events before the end of a key are shown to be so")
		case s.isReconstructed && isLost:
			e.distrust(check, uncertain, k.installation)
		case e.policy.vaults.isProven:
			e.distrust(check, finding{code: report.CodeKeyTimeUnproven, path: one.path, message: "Nothing shows the event before the end of its key."}, k.installation)
		}
	}
}
