package schema

import (
	"encoding/json"
	"os"
	"testing"

	"svc.example/go/internal/tables"
)

// Each form takes the texts of spec/formats.json that match, and none of those that fail.
func TestFormats(t *testing.T) {
	text, err := os.ReadFile("../../../../spec/formats.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Formats map[string]struct{ Matches, Fails []string }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Formats) != len(tables.Formats) {
		t.Fatalf("%d forms in spec/, %d in the table", len(file.Formats), len(tables.Formats))
	}
	for i, row := range tables.Formats {
		form, ok := file.Formats[row.Name]
		if !ok || len(form.Matches) < 10 || len(form.Fails) < 10 {
			t.Errorf("%s: %d texts that match, %d that fail", row.Name, len(form.Matches), len(form.Fails))
		}
		format := tables.Format(i + 1)
		for _, one := range form.Matches {
			if !Matches(format, []byte(one)) {
				t.Errorf("%s does not match %q", row.Name, one)
			}
		}
		for _, one := range form.Fails {
			if Matches(format, []byte(one)) {
				t.Errorf("%s matches %q", row.Name, one)
			}
		}
	}
}
