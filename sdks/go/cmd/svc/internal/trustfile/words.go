package trustfile

import (
	"encoding/json"
	"fmt"
	"strings"

	"svc.example/go/cmd/svc/internal/ordered"
	"svc.example/go/render"
)

// A section is a heading and its entries; each entry is a line with lines below it.
type section struct {
	title   string
	entries [][]string
}

// Lines returns the whole content of a file for a person, in the order of protocol section 16. Every text is escaped.
func (f File) Lines() []string {
	sections := []section{
		{"Signers", f.each("signers", func(pin *ordered.Object) []string { return append([]string{f.named(pin.Text("kid"))}, Limits(pin)...) })},
		{"Revoked", f.texts("revoked", f.named)},
		{"Witnesses", f.each("witnesses", func(pin *ordered.Object) []string {
			return []string{render.Escape(pin.Text("name")) + "  " + render.Shorten(pin.Text("public_key_hex"))}
		})},
		{"Quorum", f.quorum()},
		{"Blocks", f.each("blocks", func(pin *ordered.Object) []string {
			return []string{fmt.Sprintf("%s %s  %s", pin.Text("network"), pin.Get("number"), pin.Text("hash"))}
		})},
		{"Contracts", f.each("contracts", func(pin *ordered.Object) []string {
			return []string{pin.Text("network") + " " + pin.Text("address"), pin.Text("code_hash")}
		})},
	}
	sections = append(sections, f.vaultSections()...)
	sections = append(sections,
		section{"Required", f.texts("require", render.Escape)},
		section{"Known checkpoints", f.each("known_checkpoints", func(head *ordered.Object) []string {
			return []string{head.Text("stream_id") + "  " + counted(head.Get("window_count"), "window"), head.Text("checkpoint_root")}
		})},
		section{"Expected", f.expected()},
	)
	var lines []string
	for _, one := range sections {
		if len(one.entries) == 0 {
			continue
		}
		lines = append(lines, "", one.title)
		for _, entry := range one.entries {
			lines = append(lines, item(entry)...)
		}
	}
	if lines == nil {
		return []string{"", "Nobody is pinned, so nothing can be verified under it."}
	}
	return lines
}

// Limits returns for what a signer is trusted, a line each.
func Limits(pin *ordered.Object) (said []string) {
	if origin := pin.Text("origin"); origin != "" {
		said = append(said, "for the streams of "+render.Escape(origin))
	}
	streams, isLimited := pin.Get("streams").([]any)
	for _, id := range streams {
		said = append(said, "for "+id.(string))
	}
	if isLimited && len(streams) == 0 {
		said = append(said, "for no stream at all")
	}
	if end := pin.Text("valid_to"); end != "" {
		said = append(said, "for what is proven to be sealed by "+end)
	}
	if pin.Get("endorse") == any(false) {
		said = append(said, "its endorsements do not count")
	}
	if said == nil {
		return []string{"for every stream"}
	}
	return said
}

func (f File) each(list string, say func(*ordered.Object) []string) (entries [][]string) {
	for _, one := range f.Policy.Objects(list) {
		entries = append(entries, say(one))
	}
	return entries
}

func (f File) texts(list string, say func(string) string) (entries [][]string) {
	for _, one := range f.Policy.List(list) {
		entries = append(entries, []string{say(one.(string))})
	}
	return entries
}

// quorum returns a count in words; a text, which is a whole policy, line by line.
func (f File) quorum() (entries [][]string) {
	if count, isCount := f.Policy.Get("quorum").(json.Number); isCount {
		return [][]string{{count.String() + " of the witnesses"}}
	}
	for line := range strings.SplitSeq(f.Policy.Text("quorum"), "\n") {
		if line != "" {
			entries = append(entries, []string{render.Escape(line)})
		}
	}
	return entries
}

func (f File) expected() [][]string {
	value := f.Policy.Get("expect")
	if value == nil {
		return nil
	}
	line, err := ordered.Line(value)
	if err != nil {
		// A value that was read from a file can be written.
		panic(err)
	}
	return [][]string{{render.Escape(string(line))}}
}

func (f File) named(kid string) string {
	if name := f.Names.Text(kid); name != "" {
		return kid + "  " + render.Escape(name)
	}
	return kid
}

func counted(number any, noun string) string {
	count, err := number.(json.Number).Int64()
	if err != nil {
		panic(err)
	}
	return render.Counted(count, noun, noun+"s")
}

func item(entry []string) (lines []string) {
	for i, text := range entry {
		if i == 0 {
			lines = append(lines, render.Wrap(text, "  ", "    ")...)
		} else {
			lines = append(lines, render.Wrap(text, "    ", "    ")...)
		}
	}
	return lines
}
