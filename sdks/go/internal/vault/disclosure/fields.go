package disclosure

import (
	"encoding/binary"
	"slices"
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/envelope"
	"svc.example/go/internal/vault/provenance"
	"svc.example/go/internal/vault/provider"
	"svc.example/go/report"
)

// holdFields holds the opened fields against the capsule (section 19).
func holdFields(e *examination.Exam, object jsonx.Value, one *provenance.Bound) {
	const check = report.CheckDisclosure
	hash := envelope.SealForm.Hash(one.Value)
	e.Expect(check, object.Get("envelopeHash").IsText(values.Hex(hash)), report.CodeCommitmentMismatch, "/envelopeHash",
		"The envelope is not the one named.")
	size := values.Number(one.Content, "capsuleSize")
	further, last := 0, int64(-1)
	for i, field := range values.Items(object.Get("fields")) {
		e.Looked(check, 1)
		path := values.At("/fields", i)
		index, name := values.Number(field, "index"), values.Text(field, "name")
		isOwn := index == placeOf(e, one.Content, name, size)
		e.Expect(check, isOwn && index > last, report.CodeDisclosureFieldInvalid, path+"/index",
			"The field is at another index than its name's, or out of order.")
		last = index
		if !slices.Contains(firstNames, name) {
			further++
		}
		e.Expect(check, isCapsuleValue(field.Get("value")), report.CodeDisclosureFieldInvalid, path+"/value", "It is no value that a capsule holds.")
		commitment(e, one, field, index, size, path)
		if name == "providerResult" {
			openedResult(e, field.Get("value"), path+"/value")
		}
	}
	noteOpened(e, object, size)
	most := map[int64]int{8: tables.MaxFurtherNames8, 64: tables.MaxFurtherNames64, 512: tables.MaxFurtherNames512}[size]
	e.Expect(check, further <= most || size == 0, report.CodeDisclosureFieldInvalid, "/fields", "There are more names than a capsule holds.")
}

// noteOpened notes what is opened, and for whom. size: of the capsule; 0 without content.
func noteOpened(e *examination.Exam, object jsonx.Value, size int64) {
	const mostNames = 8
	fields := values.Items(object.Get("fields"))
	note := "no field is opened"
	if len(fields) > 0 && size > 0 {
		var names []string
		for _, field := range fields[:min(len(fields), mostNames)] {
			names = append(names, values.Text(field, "name"))
		}
		if len(fields) > mostNames {
			names = append(names, "…")
		}
		note = values.Itoa(int64(len(fields))) + " of " + values.Itoa(size) + " places are opened: " + strings.Join(names, ", ")
	}
	switch {
	case object.Get("seal").Kind() == jsonx.Null:
		note += "; not sealed, so that anybody can pass it on"
	case object.Get("audience").Kind() == jsonx.Null:
		note += "; sealed for no reader in particular"
	default:
		note += "; sealed for the reader " + string(object.Get("audience").Canonical())
	}
	if object.Get("nonce").Kind() == jsonx.String {
		note += ", on the occasion " + string(object.Get("nonce").Canonical())
	}
	e.Found(report.CheckDisclosure, note)
}

// placeOf returns the only index of a name in a capsule.
func placeOf(e *examination.Exam, content jsonx.Value, name string, size int64) int64 {
	for i, first := range firstNames {
		if first == name {
			return int64(i)
		}
	}
	if size <= int64(len(firstNames)) {
		return -1
	}
	sum := e.Kernel.Digest(slotLine, values.Unhex(values.Text(content, "slotSalt")), []byte(name))
	return int64(len(firstNames)) + int64(binary.BigEndian.Uint64(sum[:8])%uint64(size-int64(len(firstNames))))
}

// isCapsuleValue says whether a capsule may hold a value. The form of content and output is the vault's word.
func isCapsuleValue(value jsonx.Value) bool {
	return value.Depth() <= tables.MaxValueDepth && len(value.Canonical()) <= tables.MaxValueBytes
}

// commitment holds the commitment of a field against the envelope's, and its path against the root.
func commitment(e *examination.Exam, one *provenance.Bound, field jsonx.Value, index, size int64, path string) {
	const check = report.CheckDisclosure
	var preimage []byte
	preimage = values.AppendMember(preimage, `{"blind":`, field.Get("blind"))
	preimage = values.AppendMember(preimage, `,"index":`, field.Get("index"))
	preimage = values.AppendMember(preimage, `,"installationId":`, one.Value.Get("installationId"))
	preimage = values.AppendMember(preimage, `,"name":`, field.Get("name"))
	preimage = values.AppendMember(preimage, `,"sourceRef":`, one.Value.Get("sourceRef"))
	preimage = values.AppendMember(preimage, `,"value":`, field.Get("value"))
	sum := e.Kernel.Digest(commitmentLine, append(preimage, '}'))
	isListed := index >= int64(len(firstNames)) || sum == values.Hash(one.Content.Get("commitments"), firstNames[index])
	proof := values.Hashes(field.Get("path"))
	isOfLength := e.Expect(check, len(proof) == map[int64]int{8: 3, 64: 6, 512: 9}[size], report.CodeCapsulePathInvalid, path+"/path",
		"The path has another length than the size demands.")
	leads := e.Kernel.VerifyInclusion(e.Kernel.LeafHash(sum[:]), uint64(index), uint64(size), proof, values.Hash(one.Value, "capsuleRoot"))
	e.Expect(check, isListed && (leads || !isOfLength), report.CodeCommitmentMismatch, path, "The field is not the one that was committed to.")
}

// openedResult holds an opened provider's result against itself.
func openedResult(e *examination.Exam, value jsonx.Value, path string) {
	schema := "provider-result"
	if value.Get("version").IsText("0.1") {
		schema = "earlier-provider-result"
	}
	if faults := finding.Shape(schema, value, 1); len(faults) > 0 {
		for _, fault := range faults {
			fault.Path = path + fault.Path
			e.Reject(report.CheckProvider, fault)
		}
		return
	}
	provider.HoldResult(e, value, func(member string) (string, string) {
		return path + "/" + member, string(report.CodeProviderResultInconsistent)
	})
}
