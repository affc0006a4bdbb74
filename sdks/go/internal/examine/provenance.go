package examine

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

const provenancePath = "/artifacts/provenance.json"

var (
	handoverSeal       = newSealForm(attestationWord, "handover", "seal")
	providerPolicySeal = newSealForm(provenanceWord, "provider-policy", "seal")
	startSealForm      = newSealForm(provenanceWord, "envelope-start", "seal", "startSeal", "content")
)

// A boundEnvelope is an envelope of a bundle beside its record (protocol section 27).
type boundEnvelope struct {
	value, salt  jsonx.Value
	path         string
	seqNo        int64
	installation string
	record       record
	hash         digest.Hash
	key          *vaultKey
	content      jsonx.Value
	contentPath  string
}

// A provenanceView is what a bundle of envelopes has more than others, read once.
type provenanceView struct {
	b         *bundle
	part      jsonx.Value
	envelopes []*boundEnvelope
	keys      *knownKeys
	// shown are the envelopes whose content is here, each once, by event.
	shown    []*boundEnvelope
	policies map[string]jsonx.Value
	results  []attested
	carriers carrierIndex
	// isTrusted says that trust reaches the signer of the manifest.
	isTrusted bool
	// isDisclosure says that a claim without its attestation counts L0, and rejects nothing.
	isDisclosure bool
}

// provenancePart examines what a bundle of envelopes has more than others. `isTrusted`: trust reaches the signer of
// the manifest. `isVouched`: and its seal holds, so that its lifecycle counts.
func (e *exam) provenancePart(b *bundle, isTrusted, isVouched bool) {
	v := &provenanceView{b: b, isTrusted: isTrusted, part: b.artifacts.Get("provenance.json")}
	e.bindEnvelopes(v)
	e.lifecycle(v)
	e.installationKeys(v, isVouched)
	e.envelopeSeals(v)
	e.vaultChain(v)
	e.provenanceRoot(v)
	e.settle()
	e.eventsOfKeys(v)
	e.contents(v)
	e.providerPolicies(v)
	e.attestations(v)
	e.settle()
	e.claims(v)
}

// bindEnvelopes joins envelopes and records by number.
func (e *exam) bindEnvelopes(v *provenanceView) {
	const check = report.CheckEnvelope
	list := items(v.part.Get("envelopes"))
	path := provenancePath + "/envelopes"
	bySeq := map[int64]record{}
	odd := ""
	records := items(v.b.artifacts.Get("receipts.json"))
	for i, value := range records {
		r := readRecord(value)
		bySeq[r.seqNo] = r
		if odd == "" && i < len(list) && number(list[i], "seq_no") != r.seqNo {
			odd = at(path, i) + "/seq_no"
		}
	}
	if odd == "" && len(list) > len(records) {
		odd = at(path, len(records)) + "/seq_no"
	}
	if odd == "" && len(list) < len(records) {
		odd = path
	}
	e.expect(check, odd == "", report.CodeProvenanceEnvelopeMissing, odd, "There is not one envelope for each record, in order.")
	for i, one := range list {
		envelope := one.Get("envelope")
		bound := &boundEnvelope{
			value: envelope, salt: one.Get("payload_salt"), path: at(path, i) + "/envelope", seqNo: number(one, "seq_no"),
			installation: text(envelope, "installationId"), hash: envelopeSeal.hash(envelope),
		}
		r, ok := bySeq[bound.seqNo]
		if !ok {
			continue
		}
		bound.record = r
		v.envelopes = append(v.envelopes, bound)
		e.looked(check, 1)
		e.expect(check, payloadHashOf(e.k, envelope, bound.salt) == hashText(textOf(r.payloadHash)), report.CodeEnvelopeRecordMismatch,
			bound.path, "The envelope is not the payload of its record.")
		e.expect(check, envelope.Get("sourceRef").Equal(r.sourceRef), report.CodeEnvelopeRecordMismatch, bound.path+"/sourceRef",
			"The record has another reference.")
		e.expect(check, envelope.Get("streamId").Equal(r.stream), report.CodeEnvelopeRecordMismatch, bound.path+"/streamId",
			"The record is of another stream.")
	}
}

// contents joins contents to envelopes, and holds each against its envelope and record.
func (e *exam) contents(v *provenanceView) {
	const check = report.CheckEnvelope
	byID := map[string]*boundEnvelope{}
	for _, one := range v.envelopes {
		if one.record.value.Exists() {
			byID[textOf(one.record.eventID)] = one
		}
	}
	for name, content := range v.b.value.Get("contents").Members() {
		id, _ := name.Text()
		path := "/contents/" + id
		one := byID[id]
		if !e.expect(check, one != nil, report.CodeMalformed, path, "The content is of no record here.") {
			continue
		}
		v.shown = append(v.shown, one)
		e.content(content, one.value, path)
		for _, fault := range startSealFaults(one.value, content, one.path) {
			e.reject(check, fault)
		}
		e.expect(check, content.Get("eventType").Equal(one.record.eventType), report.CodeEnvelopeRecordMismatch, path+"/eventType", "The record has another type.")
		e.expect(check, content.Get("occurredAt").Equal(one.record.occurredAt), report.CodeEnvelopeRecordMismatch, path+"/occurredAt", "The record has another time.")
		ahead := milliseconds(text(content, "sealedAt")) - milliseconds(textOf(one.record.receivedAt))
		e.expect(check, ahead <= tables.MaxVaultAheadMS, report.CodeVaultClockAhead, path+"/sealedAt", "The vault's clock is ahead of the service's.")
	}
	e.noteWithheld(v)
	// Where two envelopes stand under one number, the content of its record speaks for both.
	bySeq := map[int64]jsonx.Value{}
	for _, one := range v.shown {
		bySeq[one.record.seqNo] = v.b.value.Get("contents").Get(textOf(one.record.eventID))
	}
	for _, one := range v.envelopes {
		one.content, one.contentPath = bySeq[one.record.seqNo], "/contents/"+textOf(one.record.eventID)
	}
}

// noteWithheld notes how many contents are left out, and how many start seals are not checked without them.
func (e *exam) noteWithheld(v *provenanceView) {
	shown := map[int64]bool{}
	for _, one := range v.shown {
		shown[one.seqNo] = true
	}
	withheld, starts := 0, 0
	for _, one := range v.envelopes {
		if shown[one.seqNo] {
			continue
		}
		withheld++
		if has(one.value, "startSeal") {
			starts++
		}
	}
	if withheld == 0 {
		return
	}
	note := "contents that are left out: " + itoa(int64(withheld))
	if starts > 0 {
		note += "; start seals that are not checked without them: " + itoa(int64(starts))
	}
	e.notChecked(report.CheckEnvelope, note)
}

func (e *exam) envelopeSeals(v *provenanceView) {
	for _, one := range v.envelopes {
		e.envelope(one.value, one.key, one.path)
	}
}

// vaultChain holds the envelopes of each installation against each other.
func (e *exam) vaultChain(v *provenanceView) {
	const check = report.CheckVaultChain
	references := map[string]bool{}
	before := map[string]*boundEnvelope{}
	for _, one := range v.envelopes {
		e.looked(check, 1)
		reference := text(one.value, "sourceRef")
		e.expect(check, !references[reference], report.CodeProvenanceSourceRefConflict, one.path+"/sourceRef", "A reference stands twice.")
		references[reference] = true
		last := before[one.installation]
		before[one.installation] = one
		seq := number(one.value, "vaultSeq")
		due, follows := seq, true
		if last != nil {
			due, follows = number(last.value, "vaultSeq")+1, one.value.Get("previousEnvelopeHash").IsText(hexOf(last.hash))
		} else if v.b.from == 1 {
			due = 1
		}
		path := one.path + "/previousEnvelopeHash"
		if seq != due {
			path = one.path + "/vaultSeq"
		}
		e.expect(check, seq == due && follows && isStart(one.value), report.CodeVaultChainBroken, path, "The envelope does not follow the one before it.")
	}
}

// provenanceRoot holds the leaves of the envelopes against the manifest's root.
func (e *exam) provenanceRoot(v *provenanceView) {
	const check = report.CheckProvenance
	var leaves []merkle.Hash
	for _, one := range v.envelopes {
		e.looked(check, 1)
		if !one.record.value.Exists() {
			continue
		}
		var leaf []byte
		leaf = appendMember(leaf, `{"capsule_root":`, one.value.Get("capsuleRoot"))
		leaf = append(leaf, `,"envelope_hash":"`+hexOf(one.hash)+`"`...)
		leaf = appendMember(leaf, `,"event_hash":`, one.record.eventHash)
		leaf = appendMember(leaf, `,"installation_id":`, one.value.Get("installationId"))
		leaf = appendMember(leaf, `,"seq_no":`, one.record.seq)
		leaf = appendMember(leaf, `,"source_ref":`, one.record.sourceRef)
		leaf = appendMember(leaf, `,"stream_id":`, one.record.stream)
		data := e.k.Digest(leafLine, append(leaf, '}'))
		leaves = append(leaves, e.k.LeafHash(data[:]))
	}
	count, stated := number(v.b.manifest, "provenance_event_count"), text(v.b.manifest, "provenance_root")
	e.found(check, "the root over "+itoa(count)+" events is "+stated)
	root, ok := e.k.Root(leaves)
	e.expect(check, ok && root == hashOf(v.b.manifest, "provenance_root"), report.CodeProvenanceRootMismatch,
		"/manifest/provenance_root", "The envelopes give another root.")
	e.expect(check, number(v.b.manifest, "provenance_event_count") == v.b.to-v.b.from+1, report.CodeProvenanceCountMismatch,
		"/manifest/provenance_event_count", "The count is not that of the range.")
}
