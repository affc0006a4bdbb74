package svc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// allKinds are the kinds that Decode reads.
var allKinds = []report.Kind{
	report.KindReceipt, report.KindPortableReceipt, report.KindStream, report.KindWindow, report.KindInclusion,
	report.KindCheckpoint, report.KindConsistency, report.KindWitness, report.KindAnchor, report.KindFork, report.KindKey,
	report.KindBundle, report.KindEnvelope, report.KindKeyStatus, report.KindVaultAttestation,
	report.KindProvenanceInclusion, report.KindProviderResult, report.KindDisclosure, report.KindIVCEpoch,
}

// Whatever has its form is read into its struct without a loss: written again, it is the same object.
func TestDecodeLosesNothing(t *testing.T) {
	kinds := map[report.Kind]int{}
	for _, one := range readFixtures(t) {
		evidence, err := Decode(one.bytes)
		if err != nil {
			var fault *DecodeError
			if !errors.As(err, &fault) || fault.Code == "" {
				t.Errorf("%s: %v", one.name, err)
			}
			continue
		}
		kinds[evidence.Kind]++
		text, err := json.Marshal(evidence.Value)
		if err != nil {
			t.Fatalf("%s: %v", one.name, err)
		}
		tree, err := jsonx.Parse(text, jsonx.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", one.name, err)
		}
		if !bytes.Equal(tree.Canonical(), evidence.Canonical) {
			t.Errorf("%s: %T loses something:\n%s\n%s", one.name, evidence.Value, evidence.Canonical, tree.Canonical())
		}
	}
	for _, kind := range allKinds {
		if kinds[kind] == 0 {
			t.Errorf("no fixture of the kind %s was read", kind)
		}
	}
}

// Bytes that are no evidence are refused with the code and the place that a report has.
func TestDecodeRefuses(t *testing.T) {
	good := string(fixtureCalled(t, "receipt/good").bytes)
	for _, one := range []struct {
		name, text string
		code       report.Code
		path       string
		offset     int
	}{
		{"nothing", "", report.CodeJSONMalformed, "", 0},
		{"a text", `"a"`, report.CodeMalformed, "", -1},
		{"an object of no kind", `{"a":1}`, report.CodeUnsupportedObject, "", -1},
		{"a name twice, in two cases", `{"a":1,"A":2}`, report.CodeUnsupportedObject, "", -1},
		{"a name twice, once escaped", `{"a":1,"\u0061":2}`, report.CodeDuplicateName, "", 7},
		{"a name in another case", strings.Replace(good, `"seq_no"`, `"SEQ_NO"`, 1), report.CodeMissingMember, "/seq_no", -1},
		{"an integer beyond 2^53-1", strings.Replace(good, `"seq_no":1,`, `"seq_no":9007199254740993,`, 1), report.CodeLossyNumber, "", -2},
		{"depth 65", strings.Repeat("[", 65) + strings.Repeat("]", 65), report.CodeTooDeep, "", 64},
		{"a NUL, escaped, in a name", `{"\u0000":1}`, report.CodeUnsupportedObject, "", -1},
	} {
		evidence, err := Decode([]byte(one.text))
		var fault *DecodeError
		if evidence != nil || !errors.As(err, &fault) || fault.Code != one.code || fault.Path != one.path {
			t.Errorf("%s: %v, %v", one.name, evidence, err)
			continue
		}
		if one.offset != -2 && fault.Offset != one.offset {
			t.Errorf("%s: offset %d", one.name, fault.Offset)
		}
	}
}
