package main

import (
	"regexp"
	"time"
	"unicode/utf16"

	"svc.example/go/internal/jsonx"
	"svc.example/go/render"
)

// shownPayload is how many characters of a payload are shown unless it is asked for whole.
const shownPayload = 2000

// events returns the page about the events, with their payloads or without.
func (b *shownBundle) events(withPayloads bool) []string {
	records := b.artifact("receipts.json")
	shown := records
	if !b.isWhole && len(records) > shownRows {
		shown = records[:shownRows]
	}
	lines := unverified(b.path)
	for _, one := range shown {
		lines = append(append(lines, ""), b.event(one, withPayloads)...)
	}
	if more := len(records) - len(shown); more > 0 {
		lines = append(lines, "", "  ... and "+render.Counted(int64(more), "more event", "more events")+"; --all shows every one.")
	}
	return append(lines, "", "  To verify it, with a key that you got another way:", b.command())
}

func (b *shownBundle) event(record jsonx.Value, withPayload bool) []string {
	short := func(name string) string { return render.Shorten(said(record.Get(name))) }
	timeOf := func(name string) string {
		text, _ := record.Get(name).Text()
		return render.Shorten(render.Escape(readableTime(text)))
	}
	id, _ := record.Get("stream_event_id").Text()
	payload := record.Get("payload")
	if apart := b.value.Get("payloads"); !payload.Exists() && apart.Exists() && apart.Get(id).Exists() {
		payload = apart.At(id, "payload")
	}
	words, text := "left out of the file", ""
	if payload.Exists() {
		words = "in the file, and not shown"
		if withPayload {
			words, text = b.payload(payload)
		}
	}
	seqNo, _ := record.Get("seq_no").Int()
	lines := render.Wrap("Event "+render.Grouped(seqNo)+": "+short("event_type"), "  ", "    ")
	lines = append(lines, table([][]string{
		{"source", short("source_ref")},
		{"occurred", timeOf("occurred_at") + ", according to the file"},
		{"received", timeOf("received_at") + ", by the signer's clock"},
		{"id", short("stream_event_id")},
		{"payload", words},
	}, "    ")...)
	return append(lines, cutInLines(text, "      ")...)
}

// payload returns what a payload's text is, and the text, escaped. Characters are counted in UTF-16 units, as the
// protocol counts them.
func (b *shownBundle) payload(payload jsonx.Value) (words, text string) {
	whole := utf16.Encode([]rune(string(payload.Canonical())))
	words = render.Grouped(int64(len(whole))) + " characters of canonical JSON"
	shown := whole
	if !b.isWhole && len(whole) > shownPayload {
		shown = whole[:shownPayload]
		words += ", of which the first " + render.Grouped(shownPayload) + " are shown"
	}
	return words, render.EscapeJSON(string(utf16.Decode(shown)))
}

// cutInLines cuts a text as it is, blanks included: wrapping at blanks would show two as one.
func cutInLines(text, indent string) (lines []string) {
	characters, room := []rune(text), render.Columns-len(indent)
	for len(characters) > 0 {
		length := min(len(characters), room)
		lines = append(lines, indent+string(characters[:length]))
		characters = characters[length:]
	}
	return lines
}

// rfc3339 are the times that are shown as people read them.
var rfc3339 = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$`)

// readableTime returns a time as 22 Nov 2026, 14:45:12 UTC; any other text unchanged.
func readableTime(text string) string {
	if !rfc3339.MatchString(text) {
		return text
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return at.UTC().Format("2 Jan 2006, 15:04:05 UTC")
}
