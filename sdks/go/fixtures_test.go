package svc

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"svc.example/go/internal/kernel"
	"svc.example/go/report"
)

// A fixture is a case of fixtures/cases with its report.
type fixture struct {
	name  string
	bytes []byte
	kind  report.Kind
	trust json.RawMessage
	links [][]byte
	want  map[string]any
}

const fixturesFolder = "../../fixtures"

func readFixtures(t *testing.T) (list []fixture) {
	t.Helper()
	paths, err := filepath.Glob(fixturesFolder + "/cases/*/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, path := range paths {
		var file struct {
			Kind        report.Kind       `json:"kind"`
			Trust       json.RawMessage   `json:"trust"`
			Links       []json.RawMessage `json:"links"`
			Input       *string           `json:"input"`
			InputBase64 string            `json:"input_base64"`
		}
		readJSON(t, path, &file)
		one := fixture{kind: file.Kind, trust: file.Trust}
		one.name = strings.TrimSuffix(strings.TrimPrefix(path, fixturesFolder+"/cases/"), ".json")
		for _, link := range file.Links {
			one.links = append(one.links, link)
		}
		if file.Input != nil {
			one.bytes = []byte(*file.Input)
		} else if one.bytes, err = base64.StdEncoding.DecodeString(file.InputBase64); err != nil {
			t.Fatal(err)
		}
		readJSON(t, strings.Replace(path, "/cases/", "/reports/", 1), &one.want)
		list = append(list, one)
	}
	return list
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// Each fixture gives the report that is beside it, in all that section 16 calls equal, and in the texts of tables.
func TestFixtures(t *testing.T) {
	passed := map[string]int{}
	for _, one := range readFixtures(t) {
		folder, _, _ := strings.Cut(one.name, "/")
		t.Run(one.name, func(t *testing.T) {
			want, have := essence(one.want), essence(asMap(t, reportOf(t, one)))
			if want == have {
				passed[folder]++
				return
			}
			t.Error(difference(want, have))
		})
	}
	t.Log(passed)
}

// reportOf verifies a fixture.
func reportOf(t *testing.T, one fixture) *Report {
	t.Helper()
	trust, err := readTrustPolicy(one.trust)
	if err != nil {
		t.Fatal(err)
	}
	found, err := verify(t.Context(), one.bytes, Options{Trust: trust, Kind: one.kind, Links: one.links}, kernel.Native)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func asMap(t *testing.T, r *Report) (value map[string]any) {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// essence returns the lines of a report without what is each program's own, with problems in order of their texts.
func essence(r map[string]any) string {
	var lines []string
	add := func(name string, value any) {
		text, _ := json.Marshal(value)
		lines = append(lines, name+" "+string(text))
	}
	for _, name := range []string{"ok", "verdict", "kind", "subject", "assurance"} {
		add(name, r[name])
	}
	for _, name := range []string{"signers", "checks", "proves", "does_not_prove"} {
		for _, item := range r[name].([]any) {
			if check, ok := item.(map[string]any); ok {
				delete(check, "note")
			}
			add(name, item)
		}
	}
	var problems []string
	for _, item := range r["problems"].([]any) {
		problem := item.(map[string]any)
		for _, name := range []string{"message", "expected", "actual"} {
			delete(problem, name)
		}
		text, _ := json.Marshal(problem)
		problems = append(problems, "problem "+string(text))
	}
	slices.Sort(problems)
	return strings.Join(append(lines, problems...), "\n")
}

func difference(want, have string) string {
	wanted, had := strings.Split(want, "\n"), strings.Split(have, "\n")
	var out strings.Builder
	for _, line := range wanted {
		if !slices.Contains(had, line) {
			fmt.Fprintln(&out, "\n  want", line)
		}
	}
	for _, line := range had {
		if !slices.Contains(wanted, line) {
			fmt.Fprintln(&out, "\n  have", line)
		}
	}
	if out.Len() == 0 {
		fmt.Fprintf(&out, "\n  another order or number of lines: want\n%s\n  have\n%s", want, have)
	}
	return out.String()
}
