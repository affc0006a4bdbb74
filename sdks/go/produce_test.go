package svc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"svc.example/go/report"
)

// found names the evidence of a search in tests.
var found = FindForkOptions{ForkID: "frk_01k3zjv5c7m5n0rhd0sxkqgx2t", DetectedAt: "2026-03-01T00:00:00.000Z"}

// Redacted evidence verifies as before, and says that nothing is shown of its payloads.
func TestRedact(t *testing.T) {
	good := fixtureCalled(t, "receipt/good")
	trust, err := ParseTrustPolicy(good.trust)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := Redact(good.bytes, 1)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(bare, []byte("payload_salt")) {
		t.Error("the salt is still there")
	}
	if r, err := VerifyBytes(t.Context(), bare, Options{Trust: trust}); err != nil || r.Assurance.Redacted != 1 {
		t.Errorf("%v, %+v", err, r)
	}
}

// A portable receipt that is cut out of a bundle verifies under the bundle's trust policy, and leads to its checkpoint.
func TestPortableReceiptOf(t *testing.T) {
	good := fixtureCalled(t, "bundle/good")
	portable, err := PortableReceiptOf(good.bytes, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := VerifyBytes(t.Context(), portable, Options{})
	if !errors.Is(err, ErrUntrusted) || r.Kind != report.KindPortableReceipt || !r.Assurance.Included {
		t.Errorf("%v, %+v", err, r)
	}
}

// A portable receipt leads to an earlier checkpoint where one is named.
func TestPortableReceiptUpTo(t *testing.T) {
	good := fixtureCalled(t, "bundle/good")
	for _, no := range []int64{1, 2} {
		made, err := PortableReceiptUpTo(good.bytes, 1, no)
		if err != nil {
			t.Fatal(err)
		}
		var portable PortableReceipt
		if err := json.Unmarshal(made, &portable); err != nil || int64(portable.Checkpoint.CheckpointNo) != no {
			t.Errorf("%s, %v", made, err)
		}
	}
	var refusal *RefusalError
	if _, err := PortableReceiptUpTo(good.bytes, 1, 9); !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, "No checkpoint 9") {
		t.Errorf("%+v", err)
	}
	edited := bytes.Replace(good.bytes, []byte("loan-1001"), []byte("loan-1009"), 1)
	if _, err := PortableReceiptOf(edited, 1); !errors.As(err, &refusal) || refusal.Report == nil || len(refusal.Report.Problems) == 0 {
		t.Errorf("%+v", err)
	}
}

// The two sides of fork evidence give it again, whichever comes first; an object and itself give nothing.
func TestFindFork(t *testing.T) {
	kinds := map[string]bool{}
	for _, fixture := range readFixtures(t) {
		var evidence struct {
			Kind                            string
			Left, Right, Divergence, Policy json.RawMessage
		}
		// The leaves that a divergence is made of are not in its sides, nor is an endorsement of one by the other.
		if !strings.HasPrefix(fixture.name, "fork/good") || json.Unmarshal(fixture.bytes, &evidence) != nil ||
			string(evidence.Divergence) != "null" || fixture.name == "fork/good-rotated" {
			continue
		}
		kinds[evidence.Kind] = true
		left, right := sideText(t, evidence.Left), sideText(t, evidence.Right)
		trust, err := readTrustPolicy(fixture.trust)
		if err != nil {
			t.Fatal(err)
		}
		options := found
		options.Trust, options.Kinds = trust, []string{evidence.Kind}
		if evidence.Policy != nil {
			options.Policies = [][]byte{evidence.Policy}
		}
		for _, sides := range [][2][]byte{{left, right}, {right, left}} {
			made, err := FindFork(sides[0], sides[1], options)
			if err != nil || made == nil {
				t.Errorf("%s: %s, %v", fixture.name, made, err)
				continue
			}
			if r, err := VerifyBytes(t.Context(), made, Options{Trust: trust}); r == nil || r.Verdict == report.Rejected {
				t.Errorf("%s: %v", fixture.name, err)
			}
		}
		if made, err := FindFork(left, left, options); made != nil || err != nil {
			t.Errorf("%s: an object contradicts itself: %s, %v", fixture.name, made, err)
		}
	}
	if len(kinds) < 8 {
		t.Errorf("only the kinds %v", kinds)
	}
}

// sideText returns a side as FindFork takes it: an object as it stands, a note as its text.
func sideText(t *testing.T, side json.RawMessage) []byte {
	t.Helper()
	var note string
	if json.Unmarshal(side, &note) == nil {
		return []byte(note)
	}
	return side
}

// A producer refuses what it cannot make with a code of the conformance protocol.
func TestRefusals(t *testing.T) {
	good := fixtureCalled(t, "receipt/good")
	edited := bytes.Replace(good.bytes, []byte("loan-1001"), []byte("loan-1009"), 1)
	refused := func(made []byte, err error) string {
		var refusal *RefusalError
		if made != nil || !errors.As(err, &refusal) {
			t.Errorf("%s, %v", made, err)
			return ""
		}
		return refusal.Code
	}
	for _, one := range []struct{ got, want string }{
		{refused(Redact(good.bytes, 2)), "event_missing"},
		{refused(Redact(edited, 1)), "rejected"},
		{refused(Redact([]byte("{"), 1)), "json_malformed"},
		{refused(Redact(nil)), "json_malformed"},
		{refused(PortableReceiptOf(good.bytes, 1)), "unsupported_object"},
		{refused(FindFork(good.bytes, []byte(`{}`), found)), "unsupported_object"},
		{refused(FindFork([]byte("no note"), good.bytes, found)), "json_malformed"},
	} {
		if one.got != one.want {
			t.Errorf("%s, want %s", one.got, one.want)
		}
	}
	if _, err := FindFork(good.bytes, good.bytes, FindForkOptions{}); err == nil {
		t.Error("evidence without a name")
	}
}
