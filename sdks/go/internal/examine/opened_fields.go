package examine

import (
	"encoding/binary"
	"slices"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// opened holds the opened fields against the capsule (section 19).
func (e *exam) opened(object jsonx.Value, one *boundEnvelope) {
	const check = report.CheckDisclosure
	hash := envelopeSeal.hash(one.value)
	e.expect(check, object.Get("envelopeHash").IsText(hexOf(hash)), report.CodeCommitmentMismatch, "/envelopeHash", "The envelope is not the one named.")
	size := number(one.content, "capsuleSize")
	further, last := 0, int64(-1)
	for i, field := range items(object.Get("fields")) {
		e.looked(check, 1)
		path := at("/fields", i)
		index, name := number(field, "index"), text(field, "name")
		isOwn := index == e.placeOf(one.content, name, size)
		e.expect(check, isOwn && index > last, report.CodeDisclosureFieldInvalid, path+"/index", "The field stands at another index than its name's, or out of order.")
		last = index
		if !slices.Contains(firstNames, name) {
			further++
		}
		e.expect(check, isCapsuleValue(field.Get("value")), report.CodeDisclosureFieldInvalid, path+"/value", "It is no value that a capsule holds.")
		e.commitment(one, field, index, size, path)
		if name == "providerResult" {
			e.openedResult(field.Get("value"), path+"/value")
		}
	}
	e.noteOpened(object, size)
	most := map[int64]int{8: tables.MaxFurtherNames8, 64: tables.MaxFurtherNames64, 512: tables.MaxFurtherNames512}[size]
	e.expect(check, further <= most || size == 0, report.CodeDisclosureFieldInvalid, "/fields", "There are more names than a capsule holds.")
}

// noteOpened notes what is opened, and for whom. size: of the capsule; 0 without content.
func (e *exam) noteOpened(object jsonx.Value, size int64) {
	const mostNames = 8
	fields := items(object.Get("fields"))
	note := "no field is opened"
	if len(fields) > 0 && size > 0 {
		var names []string
		for _, field := range fields[:min(len(fields), mostNames)] {
			names = append(names, text(field, "name"))
		}
		if len(fields) > mostNames {
			names = append(names, "…")
		}
		note = itoa(int64(len(fields))) + " of " + itoa(size) + " places are opened: " + strings.Join(names, ", ")
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
	e.found(report.CheckDisclosure, note)
}

// placeOf returns the only index of a name in a capsule.
func (e *exam) placeOf(content jsonx.Value, name string, size int64) int64 {
	for i, first := range firstNames {
		if first == name {
			return int64(i)
		}
	}
	if size <= int64(len(firstNames)) {
		return -1
	}
	sum := e.k.Digest(slotLine, unhex(text(content, "slotSalt")), []byte(name))
	return int64(len(firstNames)) + int64(binary.BigEndian.Uint64(sum[:8])%uint64(size-int64(len(firstNames))))
}

// isCapsuleValue says whether a capsule may hold a value. The form of content and output is the vault's word.
func isCapsuleValue(value jsonx.Value) bool {
	return value.Depth() <= tables.MaxValueDepth && len(value.Canonical()) <= tables.MaxValueBytes
}

// commitment holds the commitment of a field against the envelope's, and its path against the root.
func (e *exam) commitment(one *boundEnvelope, field jsonx.Value, index, size int64, path string) {
	const check = report.CheckDisclosure
	var preimage []byte
	preimage = appendMember(preimage, `{"blind":`, field.Get("blind"))
	preimage = appendMember(preimage, `,"index":`, field.Get("index"))
	preimage = appendMember(preimage, `,"installationId":`, one.value.Get("installationId"))
	preimage = appendMember(preimage, `,"name":`, field.Get("name"))
	preimage = appendMember(preimage, `,"sourceRef":`, one.value.Get("sourceRef"))
	preimage = appendMember(preimage, `,"value":`, field.Get("value"))
	sum := e.k.Digest(commitmentLine, append(preimage, '}'))
	isListed := index >= int64(len(firstNames)) || sum == hashOf(one.content.Get("commitments"), firstNames[index])
	proof := hashes(field.Get("path"))
	isOfLength := e.expect(check, len(proof) == map[int64]int{8: 3, 64: 6, 512: 9}[size], report.CodeCapsulePathInvalid, path+"/path",
		"The path has another length than the size demands.")
	leads := e.k.VerifyInclusion(e.k.LeafHash(sum[:]), uint64(index), uint64(size), proof, hashOf(one.value, "capsuleRoot"))
	e.expect(check, isListed && (leads || !isOfLength), report.CodeCommitmentMismatch, path, "The field is not the one that was committed to.")
}

// openedResult holds an opened provider's result against itself.
func (e *exam) openedResult(value jsonx.Value, path string) {
	schema := "provider-result"
	if value.Get("version").IsText("0.1") {
		schema = "earlier-provider-result"
	}
	if faults := shapeFindings(schema, value, 1); len(faults) > 0 {
		for _, fault := range faults {
			fault.path = path + fault.path
			e.reject(report.CheckProvider, fault)
		}
		return
	}
	e.providerResult(value, func(member string) (string, string) {
		return path + "/" + member, string(report.CodeProviderResultInconsistent)
	})
}
