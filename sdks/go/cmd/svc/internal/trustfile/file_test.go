package trustfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc.example/go/cmd/svc/internal/ordered"
)

const (
	key = "7a69e4e5b3d1f0a49d0d6a4b8ad1c0de7a69e4e5b3d1f0a49d0d6a4b8ad1c0de"
	kid = "ed25519-0123456789abcdef"
)

func signer(limits ...ordered.Member) *ordered.Object {
	return ordered.New(append([]ordered.Member{{Name: "kid", Value: kid}, {Name: "public_key_hex", Value: key}}, limits...)...)
}

func lineOf(t *testing.T, object *ordered.Object) string {
	t.Helper()
	line, err := ordered.Line(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// refusedWith fails unless the error is a refusal that says this.
func refusedWith(t *testing.T, err error, said string) {
	t.Helper()
	var refused *Refusal
	if !errors.As(err, &refused) || !strings.Contains(refused.Message+" "+refused.Action, said) {
		t.Errorf("%v, want %q", err, said)
	}
}

func TestAPinOfOtherLimitsTakesItsPlaceOnlyIfAsked(t *testing.T) {
	file, err := Empty().AddSigner(signer(), "acme", false)
	if err != nil {
		t.Fatal(err)
	}
	limited := signer(ordered.Member{Name: "endorse", Value: false})
	_, err = file.AddSigner(limited, "", false)
	refusedWith(t, err, "--replace")
	file, err = file.AddSigner(limited, "", true)
	if err != nil || file.Policy.List("signers")[0] != any(limited) || len(file.Policy.List("signers")) != 1 {
		t.Errorf("%s, %v", lineOf(t, file.Policy), err)
	}
	if got := lineOf(t, file.Names); got != `{"`+kid+`":"acme"}` {
		t.Error(got)
	}
}

func TestARevokedKeyIsNotPinned(t *testing.T) {
	_, err := Empty().Revoke(kid).AddSigner(signer(), "", false)
	refusedWith(t, err, "svc trust remove --revoked "+kid)
}

func TestABlockHasOneHash(t *testing.T) {
	file, err := Empty().AddBlock("eip155:1", 7, "0xaa", false)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := file.AddBlock("eip155:1", 7, "0xaa", false); err != nil || again.Policy != file.Policy {
		t.Error("the same pin is written again")
	}
	_, err = file.AddBlock("eip155:1", 7, "0xbb", false)
	refusedWith(t, err, "Block 7 of eip155:1 is pinned already, with another hash: 0xaa.")
	file, err = file.AddBlock("eip155:1", 7, "0xbb", true)
	if got := lineOf(t, file.Policy); err != nil || got != `{"signers":[],"blocks":[{"network":"eip155:1","number":7,"hash":"0xbb"}]}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestWhatIsNotThereIsNotRemoved(t *testing.T) {
	file := Empty().Require([]string{"included", "anchored"})
	remove := func(option, value string) (File, error) {
		return file.Remove(func(asked string) (string, bool) { return value, asked == option })
	}
	_, err := remove("require", "published")
	refusedWith(t, err, `no such pin: "published"`)
	_, err = remove("signer", "")
	refusedWith(t, err, `no such pin: ""`)
	_, err = remove("quorum", "")
	refusedWith(t, err, "no quorum")
	file, err = remove("require", "included")
	if err != nil {
		t.Fatal(err)
	}
	file, err = remove("require", "anchored")
	if got := lineOf(t, file.Policy); err != nil || got != `{"signers":[]}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestWhatWouldNotBeAPolicyIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "trust.json")
	read := func(string) (File, error) { return Empty(), nil }
	_, _, err := Change(path, read, func(file File) (File, error) { return file.SetQuorum("quorum a\n"), nil })
	refusedWith(t, err, "malformed at /quorum of the trust policy")
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is there")
	}
	after, isNew, err := Change(path, read, func(file File) (File, error) { return file.Require([]string{"included"}), nil })
	if err != nil || !isNew || len(after.Policy.List("require")) != 1 {
		t.Errorf("%v", err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "{\n  \"signers\": [],\n  \"require\": [\n    \"included\"\n  ]\n}\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, isNew, err = Change(path, func(string) (File, error) { return after, nil }, func(file File) (File, error) { return file, nil }); isNew || err != nil {
		t.Errorf("nothing was changed, and was written: %v", err)
	}
}

func TestNamesOfKeys(t *testing.T) {
	for _, name := range []string{"", " ", kid, key, "a\u202eb", "two\nlines", strings.Repeat("a", 65), "\xff"} {
		if _, err := ParseName(name); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
	if name, err := ParseName("acme 2026 é"); err != nil || name != "acme 2026 é" {
		t.Error(err)
	}
	for _, text := range []string{`{"acme": 1}`, `{"` + kid + `": 1}`, `[]`, `{"` + kid + `": "a", "` + kid + `": "b"}`} {
		_, err := ParseNames("trust.json.names", []byte(text))
		refusedWith(t, err, "does not hold names of keys")
	}
}
