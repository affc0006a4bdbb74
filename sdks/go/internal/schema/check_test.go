package schema

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
)

// The faults of a long array, and those around it, are the same however many workers look for them: also where there
// are more than a report shows.
func TestWorkersChangeNoFault(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	inclusion := tables.SchemaOf("inclusion")
	element := []string{`"` + strings.Repeat("0", 64) + `"`, `1`, `{"a/b":[]}`, `"x"`}
	for _, faulty := range []float64{0, 0.0005, 0.01, 0.3, 1} {
		for _, length := range []int{0, 1, longArray - 1, longArray, longArray + 1, 3*longArray + 2} {
			var text strings.Builder
			text.WriteString(`{"inclusion_path":[`)
			for i := range length {
				if i > 0 {
					text.WriteByte(',')
				}
				if random.Float64() < faulty {
					text.WriteString(element[1+random.IntN(3)])
				} else {
					text.WriteString(element[0])
				}
			}
			text.WriteString(`],"window_no":"1"}`)
			tree, err := jsonx.Parse([]byte(text.String()), jsonx.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			want := Check(inclusion, tree.Root(), 1)
			if len(want) < 2 || len(want) > tables.MaxSchemaErrors {
				t.Fatalf("%d faults", len(want))
			}
			for _, workers := range []int{0, 2, 3, 7, math.MaxInt} {
				if got := Check(inclusion, tree.Root(), workers); !slices.Equal(got, want) {
					t.Errorf("%d elements, %v of them faulty, %d workers: %d faults, and %d are right", length, faulty, workers, len(got), len(want))
				}
			}
		}
	}
}
