package digest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"testing"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kerneltest"
)

func ExampleTagged() {
	sum := digest.Tagged("event", []byte(`{"seq_no":`), []byte(`1}`))
	fmt.Printf("%x\n", sum)
	// Output: 00cfdf66629b562ec2f9c76e092be7be0b6d2c1c752224b94bfdcae67a71367a
}

func TestVectors(t *testing.T) {
	text, err := os.ReadFile(kerneltest.Vectors(t, "proofstream/digests.json"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	if err != nil || tree.Root().Len() == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, one := range tree.Root().Elements() {
		name, _ := one.Get("name").Text()
		tag, _ := one.Get("tag").Text()
		// The value is hashed as it is among the others.
		value := one.Get("value").Canonical()
		if !one.Get("canonical_hex").IsText(hex.EncodeToString(value)) {
			t.Errorf("%s: %s", name, value)
		}
		sum := digest.Tagged(tag, value)
		if !one.Get("digest").IsText(hex.EncodeToString(sum[:])) {
			t.Errorf("%s: %x", name, sum)
		}
	}
}

func TestHasher(t *testing.T) {
	line := digest.Line("receipt")
	whole := digest.Sum(line, []byte("one"), []byte("two"))
	h := digest.New(line)
	for range 2 {
		fmt.Fprint(h, "on", "etwo")
		if h.Sum() != whole || digest.Tagged("receipt", []byte("onetwo")) != whole {
			t.Error("pieces hash otherwise than the whole")
		}
		h.Reset(line)
	}
	if digest.Sum(nil, []byte("x")) != sha256.Sum256([]byte("x")) {
		t.Error("no line is no SHA-256")
	}
}

func TestLine(t *testing.T) {
	if got := string(digest.LineOf("SVC-PROVENANCE-001", "capsule")); got != "SVC-PROVENANCE-001/capsule\n" {
		t.Errorf("%q", got)
	}
	for _, tag := range []string{"", " ", "a b", "a\n", "é", "\x7f", "\x00"} {
		if digest.IsTag(tag) {
			t.Errorf("%q is a tag", tag)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q gives a line", tag)
				}
			}()
			digest.Line(tag)
		}()
	}
}
