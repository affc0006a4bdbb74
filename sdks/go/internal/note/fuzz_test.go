package note

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"svc.example/go/internal/jsonx"
)

func keyText(name string, kind byte, raw ...byte) string {
	raw = append(raw, make([]byte, ed25519Bytes-len(raw))...)
	id := IDOf(name, kind, raw)
	return name + "+" + hex.EncodeToString(id[:]) + "+" + base64.StdEncoding.EncodeToString(append([]byte{kind}, raw...))
}

// FuzzParse holds notes, heads and cosignatures to what they are written as.
func FuzzParse(f *testing.F) {
	line := Line{Name: "log.example/one", ID: KeyID{1, 2, 3, 4}, Signature: bytes.Repeat([]byte{7}, 64)}
	witness := Line{Name: "witness.example/w", ID: KeyID{5, 6, 7, 8}, Signature: append([]byte{0, 0, 0, 0, 105, 163, 0, 0}, bytes.Repeat([]byte{9}, 64)...)}
	head := HeadText("log.example/one", 4, bytes.Repeat([]byte{1}, 32))
	for _, seed := range []string{
		head + "\n" + line.String() + witness.String(), head + "extension\n\n" + line.String(), "\n\n" + line.String(), head,
		"a\n\n— x AAAAAAA=\n", "\u0085\n9007199254740992\n\n\n" + line.String(),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, whole string) {
		note, ok := Parse(whole)
		if !ok {
			return
		}
		written := note.Text + "\n"
		for _, line := range note.Lines {
			written += line.String()
			if time, signature, ok := line.Cosignature(); ok && (time < 1 || time > jsonx.MaxInteger || len(signature) != 64) {
				t.Fatalf("%q: a cosignature of %d with %d bytes", whole, time, len(signature))
			}
		}
		if written != whole {
			t.Fatalf("%q is written as %q", whole, written)
		}
		if head, ok := ParseHead(note.Text); ok && !strings.HasPrefix(note.Text, HeadText(head.Origin, head.Size, head.Root)) {
			t.Fatalf("%q: another head is read: %+v", note.Text, head)
		}
	})
}

// FuzzPolicy reads tlog-policies and keys: a policy that holds names only what it defines.
func FuzzPolicy(f *testing.F) {
	someKey, w1, w2 := keyText("log.example/one", Ed25519), keyText("w.example/1", Cosignature, 1), keyText("w.example/2", Cosignature, 2)
	good := "# a\n\nlog " + someKey + "\nwitness w1 " + w1 + "\nwitness w2 " + w2 + " https://w.example/\ngroup g 1 w1 w2\ngroup h all g\nquorum h\n"
	if _, fault := ParsePolicy(good); fault != nil {
		f.Fatalf("a good policy: %+v", fault)
	}
	for _, seed := range []string{
		good, "log " + someKey + "\nquorum none\n",
		"witness w1 " + w1 + "\ngroup g any w1\nquorum g\n", "quorum none", "group g 2 g\nquorum g\n", someKey,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if key, code := ParseKey(text, Ed25519, Cosignature); code == "" && (key.ID != IDOf(key.Name, key.Type, key.Raw) || len(key.Raw) != 32) {
			t.Fatalf("%q: %+v", text, key)
		}
		policy, fault := ParsePolicy(text)
		if fault != nil {
			if lines := strings.Count(text, "\n") + 1; policy != nil || fault.Line < 1 || fault.Line > lines || fault.Code == "" {
				t.Fatalf("%q: %+v", text, fault)
			}
			return
		}
		isDefined := func(name string) bool {
			_, isWitness := policy.Witnesses[name]
			_, isGroup := policy.Groups[name]
			return isWitness || isGroup
		}
		if policy.Quorum != "none" && !isDefined(policy.Quorum) {
			t.Fatalf("%q: the quorum %q", text, policy.Quorum)
		}
		for name, group := range policy.Groups {
			if group.Threshold < 1 || group.Threshold > len(group.Members) {
				t.Fatalf("%q: group %q: %+v", text, name, group)
			}
			for _, member := range group.Members {
				if !isDefined(member) || member == name {
					t.Fatalf("%q: group %q has %q", text, name, member)
				}
			}
		}
	})
}
