package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/zipx"
	"svc.example/go/report"
)

// keyOf reads a verification key of these types, and refuses any other.
func keyOf(text string, types ...byte) note.Key {
	key, code := note.ParseKey(text, note.Ed25519, note.Cosignature)
	if code == "" && !slices.Contains(types, key.Type) {
		code = "unsupported_object"
	}
	if code != "" {
		refuse(code, "no verification key that is known here")
	}
	return key
}

func parseNote(text string) *note.Note {
	parsed, ok := note.Parse(text)
	if !ok {
		refuse("note_malformed", "no signed note")
	}
	return parsed
}

func noteOpen(c *Call) jsonx.Members {
	whole, list := c.Text("note"), c.Value("vkeys")
	if list.Kind() != jsonx.Array {
		refuse("malformed_request", "vkeys is no array")
	}
	texts := make([]string, 0, list.Len())
	for _, one := range list.Elements() {
		texts = append(texts, textOf(one, "vkeys"))
	}
	var keys []note.Key
	for _, text := range texts {
		keys = append(keys, keyOf(text, note.Ed25519, note.Cosignature))
	}
	opened := parseNote(whole)
	verified, ignored := []string{}, 0
	seen := map[string]bool{}
	for _, line := range opened.Lines {
		known, code := false, ""
		for _, key := range keys {
			if key.Name != line.Name || key.ID != line.ID {
				continue
			}
			known = true
			if lineHolds(c, opened, line, key) {
				code = ""
				if !seen[key.Name] {
					seen[key.Name] = true
					verified = append(verified, key.Name)
				}
				break
			}
			if code = "signature_invalid"; key.Type == note.Cosignature {
				code = "witness_signature_invalid"
			}
		}
		if code != "" {
			refuse(code, "a line by a known key does not hold")
		}
		if !known {
			ignored++
		}
	}
	if len(verified) == 0 {
		refuse("key_not_pinned", "no line is by a key that was given")
	}
	return answered(true, jsonx.Member{Name: "text", Value: opened.Text},
		jsonx.Member{Name: "verified", Value: verified}, jsonx.Member{Name: "ignored", Value: ignored})
}

func lineHolds(c *Call, opened *note.Note, line note.Line, key note.Key) bool {
	if key.Type == note.Ed25519 {
		return c.Kernel.Verify(key.Raw, []byte(opened.Text), line.Signature)
	}
	time, signature, ok := line.Cosignature()
	return ok && c.Kernel.Verify(key.Raw, note.Cosigned(time, opened.Text), signature)
}

func cosignatureVerify(c *Call) jsonx.Members {
	whole, text := c.Text("note"), c.Text("vkey")
	key := keyOf(text, note.Cosignature)
	opened := parseNote(whole)
	earliest := int64(0)
	for _, line := range opened.Lines {
		if key.Name != line.Name || key.ID != line.ID {
			continue
		}
		if !lineHolds(c, opened, line, key) {
			refuse("witness_signature_invalid", "a line by the witness does not hold")
		}
		if time, _, _ := line.Cosignature(); earliest == 0 || time < earliest {
			earliest = time
		}
	}
	if earliest == 0 {
		refuse("key_not_pinned", "no line is by the witness")
	}
	return answered(true, jsonx.Member{Name: "time", Value: earliest})
}

func tlogPolicyParse(c *Call) jsonx.Members {
	if _, fault := note.ParsePolicy(c.Text("text")); fault != nil {
		return append(failed(fault.Code, "no tlog-policy"), jsonx.Member{Name: "line", Value: fault.Line})
	}
	return answered(true)
}

func archiveCheck(c *Call) jsonx.Members {
	entries, faults := zipx.Read(c.Bytes("bytes"))
	if len(faults) > 0 {
		refuse(faults[0].Code, "the archive is refused")
	}
	list := []any{}
	for i := range entries {
		content, ok := entries[i].Content(c.Kernel)
		if !ok {
			refuse("archive_malformed", "a content is not as declared")
		}
		sum := sha256.Sum256(content)
		list = append(list, jsonx.Members{
			{Name: "path", Value: entries[i].Name}, {Name: "size", Value: len(content)},
			{Name: "sha256", Value: hex.EncodeToString(sum[:])},
		})
	}
	return answered(true, jsonx.Member{Name: "entries", Value: list})
}

func verify(c *Call) jsonx.Members {
	in := examine.Input{Policy: examine.NobodyTrusted(), Kernel: c.Kernel, Workers: 1}
	if trust := c.Value("trust"); trust.Kind() == jsonx.Null {
		refuse("malformed_request", "trust is null")
	} else if trust.Exists() {
		in.Policy = examine.ReadPolicy(trust)
	}
	if c.Has("kind") {
		in.Kind = report.Kind(c.Text("kind"))
		if !examine.IsKind(in.Kind) {
			refuse("unsupported_object", "no such kind")
		}
	}
	in.Bytes = c.Bytes("bytes")
	if links := c.Value("links"); links.Exists() {
		if links.Kind() != jsonx.Array {
			refuse("malformed_request", "links is no array")
		}
		for _, link := range links.Elements() {
			in.Links = append(in.Links, link.Canonical())
		}
	}
	made, err := examine.Verify(in)
	if err != nil {
		panic(err)
	}
	return answered(made.OK, jsonx.Member{Name: "report", Value: reportValue(made)})
}

// reportValue returns a report as JSON.
func reportValue(made *report.Report) jsonx.Value {
	text, err := json.Marshal(made)
	if err != nil {
		panic(err)
	}
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	if err != nil {
		panic(err)
	}
	return tree.Root()
}
