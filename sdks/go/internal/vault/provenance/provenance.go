// Package provenance examines what a bundle of envelopes has more than others, and inclusions of envelopes (protocol
// sections 27 and 33).
package provenance

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/objects/manifest"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/envelope"
	"svc.example/go/internal/vault/keystatus"
	"svc.example/go/report"
)

const partPath = "/artifacts/provenance.json"

var (
	handoverSeal  = examination.NewSealForm(examination.AttestationWord, "handover", "seal")
	startSealForm = examination.NewSealForm(examination.ProvenanceWord, "envelope-start", "seal", "startSeal", "content")
)

// A Bound is an envelope of a bundle beside its record (protocol section 27).
type Bound struct {
	Value, salt  jsonx.Value
	Path         string
	SeqNo        int64
	Installation string
	Record       receipt.Record
	hash         digest.Hash
	Key          *keystatus.Key
	Content      jsonx.Value
	ContentPath  string
}

// A View is what a bundle of envelopes has more than others, read once.
type View struct {
	Bundle    *manifest.Frame
	Part      jsonx.Value
	Envelopes []*Bound
	Keys      *keystatus.Keys
	// shown are the envelopes whose content is here, each once, by event.
	shown    []*Bound
	policies map[string]jsonx.Value
	results  []attested
	carriers carrierIndex
	// isTrusted says that trust reaches the signer of the manifest.
	isTrusted bool
	// IsDisclosure says that a claim without its attestation counts L0, and rejects nothing.
	IsDisclosure bool
}

// Examine examines the part of a bundle that only a bundle of envelopes has. Trust may reach the signer of the manifest
// (isTrusted); where its seal holds too (isVouched), the lifecycle in it counts.
func Examine(e *examination.Exam, b *manifest.Frame, isTrusted, isVouched bool) {
	v := &View{Bundle: b, isTrusted: isTrusted, Part: b.Artifacts.Get("provenance.json")}
	bindEnvelopes(e, v)
	holdLifecycle(e, v)
	installationKeys(e, v, isVouched)
	envelopeSeals(e, v)
	holdChain(e, v)
	holdRoot(e, v)
	e.Settle()
	HoldEvents(e, v)
	holdContents(e, v)
	providerPolicies(e, v)
	ExamineAttestations(e, v)
	e.Settle()
	JudgeClaims(e, v)
}

// bindEnvelopes joins envelopes and records by number.
func bindEnvelopes(e *examination.Exam, v *View) {
	const check = report.CheckEnvelope
	list := values.Items(v.Part.Get("envelopes"))
	path := partPath + "/envelopes"
	bySeq := map[int64]receipt.Record{}
	odd := ""
	records := values.Items(v.Bundle.Artifacts.Get("receipts.json"))
	for i, value := range records {
		r := receipt.Read(value)
		bySeq[r.SeqNo] = r
		if odd == "" && i < len(list) && values.Number(list[i], "seq_no") != r.SeqNo {
			odd = values.At(path, i) + "/seq_no"
		}
	}
	if odd == "" && len(list) > len(records) {
		odd = values.At(path, len(records)) + "/seq_no"
	}
	if odd == "" && len(list) < len(records) {
		odd = path
	}
	e.Expect(check, odd == "", report.CodeProvenanceEnvelopeMissing, odd, "There is not one envelope for each record, in order.")
	for i, one := range list {
		sealed := one.Get("envelope")
		bound := &Bound{
			Value: sealed, salt: one.Get("payload_salt"), Path: values.At(path, i) + "/envelope", SeqNo: values.Number(one, "seq_no"),
			Installation: values.Text(sealed, "installationId"), hash: envelope.SealForm.Hash(sealed),
		}
		r, ok := bySeq[bound.SeqNo]
		if !ok {
			continue
		}
		bound.Record = r
		v.Envelopes = append(v.Envelopes, bound)
		e.Looked(check, 1)
		isPayload := receipt.PayloadHash(e.Kernel, sealed.Canonical(), bound.salt) == values.ParseHash(values.TextOf(r.PayloadHash))
		e.Expect(check, isPayload, report.CodeEnvelopeRecordMismatch, bound.Path, "The envelope is not the payload of its record.")
		e.Expect(check, sealed.Get("sourceRef").Equal(r.SourceRef), report.CodeEnvelopeRecordMismatch, bound.Path+"/sourceRef",
			"The record has another reference.")
		e.Expect(check, sealed.Get("streamId").Equal(r.Stream), report.CodeEnvelopeRecordMismatch, bound.Path+"/streamId",
			"The record is of another stream.")
	}
}

// holdContents joins contents to envelopes, and holds each against its envelope and record.
func holdContents(e *examination.Exam, v *View) {
	const check = report.CheckEnvelope
	byID := map[string]*Bound{}
	for _, one := range v.Envelopes {
		if one.Record.Value.Exists() {
			byID[values.TextOf(one.Record.EventID)] = one
		}
	}
	for name, content := range v.Bundle.Value.Get("contents").Members() {
		id, _ := name.Text()
		path := "/contents/" + id
		one := byID[id]
		if !e.Expect(check, one != nil, report.CodeMalformed, path, "The content is of no record here.") {
			continue
		}
		v.shown = append(v.shown, one)
		envelope.HoldContent(e, content, one.Value, path)
		for _, fault := range envelope.StartSealFaults(one.Value, content, one.Path) {
			e.Reject(check, fault)
		}
		e.Expect(check, content.Get("eventType").Equal(one.Record.EventType), report.CodeEnvelopeRecordMismatch, path+"/eventType",
			"The record has another type.")
		e.Expect(check, content.Get("occurredAt").Equal(one.Record.OccurredAt), report.CodeEnvelopeRecordMismatch, path+"/occurredAt",
			"The record has another time.")
		ahead := values.Milliseconds(values.Text(content, "sealedAt")) - values.Milliseconds(values.TextOf(one.Record.ReceivedAt))
		e.Expect(check, ahead <= tables.MaxVaultAheadMS, report.CodeVaultClockAhead, path+"/sealedAt", "The vault's clock is ahead of the service's.")
	}
	noteWithheld(e, v)
	// Where two envelopes are under one number, the content of its record speaks for both.
	bySeq := map[int64]jsonx.Value{}
	for _, one := range v.shown {
		bySeq[one.Record.SeqNo] = v.Bundle.Value.Get("contents").Get(values.TextOf(one.Record.EventID))
	}
	for _, one := range v.Envelopes {
		one.Content, one.ContentPath = bySeq[one.Record.SeqNo], "/contents/"+values.TextOf(one.Record.EventID)
	}
}

// noteWithheld notes how many contents are left out, and how many start seals are not checked without them.
func noteWithheld(e *examination.Exam, v *View) {
	shown := map[int64]bool{}
	for _, one := range v.shown {
		shown[one.SeqNo] = true
	}
	withheld, starts := 0, 0
	for _, one := range v.Envelopes {
		if shown[one.SeqNo] {
			continue
		}
		withheld++
		if values.Has(one.Value, "startSeal") {
			starts++
		}
	}
	if withheld == 0 {
		return
	}
	note := "contents that are left out: " + values.Itoa(int64(withheld))
	if starts > 0 {
		note += "; start seals that are not checked without them: " + values.Itoa(int64(starts))
	}
	e.NotChecked(report.CheckEnvelope, note)
}

func envelopeSeals(e *examination.Exam, v *View) {
	for _, one := range v.Envelopes {
		envelope.ExamineSeal(e, one.Value, one.Key, one.Path)
	}
}

// holdChain holds the envelopes of each installation against each other.
func holdChain(e *examination.Exam, v *View) {
	const check = report.CheckVaultChain
	references := map[string]bool{}
	before := map[string]*Bound{}
	for _, one := range v.Envelopes {
		e.Looked(check, 1)
		reference := values.Text(one.Value, "sourceRef")
		e.Expect(check, !references[reference], report.CodeProvenanceSourceRefConflict, one.Path+"/sourceRef", "A reference appears twice.")
		references[reference] = true
		last := before[one.Installation]
		before[one.Installation] = one
		seq := values.Number(one.Value, "vaultSeq")
		due, follows := seq, true
		if last != nil {
			due, follows = values.Number(last.Value, "vaultSeq")+1, one.Value.Get("previousEnvelopeHash").IsText(values.Hex(last.hash))
		} else if v.Bundle.From == 1 {
			due = 1
		}
		path := one.Path + "/previousEnvelopeHash"
		if seq != due {
			path = one.Path + "/vaultSeq"
		}
		e.Expect(check, seq == due && follows && envelope.IsStart(one.Value), report.CodeVaultChainBroken, path,
			"The envelope does not follow the one before it.")
	}
}

// holdRoot holds the leaves of the envelopes against the manifest's root.
func holdRoot(e *examination.Exam, v *View) {
	const check = report.CheckProvenance
	var leaves []merkle.Hash
	for _, one := range v.Envelopes {
		e.Looked(check, 1)
		if !one.Record.Value.Exists() {
			continue
		}
		var leaf []byte
		leaf = values.AppendMember(leaf, `{"capsule_root":`, one.Value.Get("capsuleRoot"))
		leaf = append(leaf, `,"envelope_hash":"`+values.Hex(one.hash)+`"`...)
		leaf = values.AppendMember(leaf, `,"event_hash":`, one.Record.EventHash)
		leaf = values.AppendMember(leaf, `,"installation_id":`, one.Value.Get("installationId"))
		leaf = values.AppendMember(leaf, `,"seq_no":`, one.Record.Seq)
		leaf = values.AppendMember(leaf, `,"source_ref":`, one.Record.SourceRef)
		leaf = values.AppendMember(leaf, `,"stream_id":`, one.Record.Stream)
		data := e.Kernel.Digest(leafLine, append(leaf, '}'))
		leaves = append(leaves, e.Kernel.LeafHash(data[:]))
	}
	count, stated := values.Number(v.Bundle.Manifest, "provenance_event_count"), values.Text(v.Bundle.Manifest, "provenance_root")
	e.Found(check, "the root over "+values.Itoa(count)+" events is "+stated)
	root, ok := e.Kernel.Root(leaves)
	e.Expect(check, ok && root == values.Hash(v.Bundle.Manifest, "provenance_root"), report.CodeProvenanceRootMismatch,
		"/manifest/provenance_root", "The envelopes give another root.")
	e.Expect(check, values.Number(v.Bundle.Manifest, "provenance_event_count") == v.Bundle.To-v.Bundle.From+1, report.CodeProvenanceCountMismatch,
		"/manifest/provenance_event_count", "The count is not that of the range.")
}
