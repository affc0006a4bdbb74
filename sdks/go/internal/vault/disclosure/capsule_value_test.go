package disclosure

import (
	"strings"
	"testing"

	"svc.example/go/internal/jsonx"
)

// A capsule's values are bounded in depth and length, and in nothing else.
func TestCapsuleValues(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`:   true,
		`null`: true,
		strings.Repeat("[", 16) + strings.Repeat("]", 16): true,
		strings.Repeat("[", 17) + strings.Repeat("]", 17): false,
		`"` + strings.Repeat("a", 65534) + `"`:            true,
		`"` + strings.Repeat("a", 65535) + `"`:            false,
	} {
		tree, err := jsonx.Parse([]byte(text), jsonx.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if isCapsuleValue(tree.Root()) != want {
			t.Errorf("%.40s of %d bytes: not %v", text, len(text), want)
		}
	}
}
