package render

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"svc.example/go/report"
)

// A shownPage is a report with the page that the npm svc prints of it, and what the page depends on.
type shownPage struct {
	Name      string
	Report    report.Report
	Lines     []string
	Bytes     string
	Kind      report.Kind
	TrustFile string `json:"trust_file"`
	IsWhole   bool   `json:"is_whole"`
	HasTrust  bool   `json:"has_trust"`
	Names     map[string]string
	Signers   []struct {
		KID          string `json:"kid"`
		PublicKeyHex string `json:"public_key_hex"`
	}
	Known []struct {
		StreamID    string `json:"stream_id"`
		WindowCount int64  `json:"window_count"`
	}
}

// The pages are those that the npm svc prints: render.slow.test.ts writes them into the file that SVC_PAGES names.
func TestPagesAreThoseOfTheCommand(t *testing.T) {
	name := os.Getenv("SVC_PAGES")
	if name == "" {
		t.Skip("SVC_PAGES names no file of pages")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var pages []shownPage
	if err := json.Unmarshal(text, &pages); err != nil || len(pages) < 1000 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for i := range pages {
		one := &pages[i]
		c := Call{
			File: "a b.json", Kind: one.Kind, IsWhole: one.IsWhole, Seconds: 0.01, HasTrust: one.HasTrust, TrustFile: one.TrustFile,
			Reader: Reader{Names: one.Names},
		}
		if c.Bytes, err = base64.StdEncoding.DecodeString(one.Bytes); err != nil {
			t.Fatal(err)
		}
		for _, signer := range one.Signers {
			c.Reader.Pinned = append(c.Reader.Pinned, Pin{signer.KID, signer.PublicKeyHex})
		}
		for _, known := range one.Known {
			c.Reader.Known = append(c.Reader.Known, KnownCheckpoint{known.StreamID, known.WindowCount})
		}
		lines, err := Lines(&one.Report, c)
		if err != nil {
			t.Fatal(err)
		}
		if want, have := strings.Join(one.Lines, "\n"), strings.Join(lines, "\n"); want != have {
			t.Errorf("%s: want\n%s\nhave\n%s", one.Name, want, have)
		}
	}
}

// No text of a report reaches the terminal as it is, and no line is longer than 80 characters.
func TestHostileTexts(t *testing.T) {
	id := "\x1b[2J\u202e" + strings.Repeat("x", 200)
	r := &report.Report{
		Verdict: report.Rejected, Subject: report.Subject{ID: &id},
		Problems: []report.Problem{{Code: "malformed", Path: "/\u0085", Message: "\u200b\x07", Expected: "a\nb", Actual: "\xff"}},
	}
	lines, err := Lines(r, Call{File: "\x1b]0;x\x07"})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if len([]rune(line)) > Columns {
			t.Errorf("a line of %d characters: %q", len([]rune(line)), line)
		}
		if strings.ContainsFunc(line, isUnsafe) {
			t.Errorf("%q", line)
		}
	}
	// A zero report and a zero call give a page, and no panic.
	if _, err := Lines(&report.Report{}, Call{}); err != nil {
		t.Error(err)
	}
}
