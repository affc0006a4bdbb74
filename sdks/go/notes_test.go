package svc

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"svc.example/go/render"
	"svc.example/go/report"
)

// A note has other words than core's, but it stands wherever core has one, and what a reader can act on is said in the
// same words: the page of a fixture is that of core's report.
func TestNotesStandWhereCoreHasThem(t *testing.T) {
	shown := 0
	for _, one := range readFixtures(t) {
		text, err := os.ReadFile(fixturesFolder + "/reports/" + one.name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		want := new(report.Report)
		if err := json.Unmarshal(text, want); err != nil {
			t.Fatal(err)
		}
		if want.Verdict == report.Rejected {
			continue
		}
		got := reportOf(t, one)
		for i, check := range want.Checks {
			if check.Note != "" && got.Checks[i].Note == "" && !(one.name == "disclosure/key-unknown" && check.ID == report.CheckVaultKey) {
				t.Errorf("%s: the check %s does not say what it left out", one.name, check.ID)
			}
		}
		want.Verifier = got.Verifier
		if own, right := pageOf(t, got), pageOf(t, want); own != right {
			t.Errorf("%s: the page\n%s\n\nis not\n%s", one.name, own, right)
		}
		shown++
	}
	if shown < 200 {
		t.Errorf("%d pages", shown)
	}
}

var findings = regexp.MustCompile(`(?s)\n  Found\n.*?\n\n`)

// pageOf returns the page of a good verdict, without findings, whose words are not core's; of any other its heading and
// its ladder.
func pageOf(t *testing.T, r *Report) string {
	t.Helper()
	lines, err := render.Lines(r, render.Call{File: "it.json"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == report.Verified {
		return findings.ReplaceAllString(strings.Join(lines, "\n"), "\n")
	}
	heading := slices.Index(lines, "")
	ladder := slices.Index(lines[heading+1:], "")
	return strings.Join(lines[:heading+1+ladder], "\n")
}
