package main

import (
	"encoding/hex"
	"regexp"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
	"svc.example/go/render"
)

var kidForm = regexp.MustCompile(`^ed25519-[0-9a-f]{16}$`)

// namesFile returns the file with a person's names for the keys of a trust file. A trust policy is closed and has no
// place for them; no verdict depends on them.
func namesFile(trustFile string) string { return trustFile + ".names" }

// readNames returns the names beside a trust file; none if the call names no file, or if no names are beside it.
func (s *system) readNames(trustFile string) (map[string]string, error) {
	if trustFile == "" || isStandardInput(trustFile) || !exists(namesFile(trustFile)) {
		return nil, nil
	}
	text, err := s.readInput(namesFile(trustFile), maxInput)
	if err != nil {
		return nil, err
	}
	return parseNames(namesFile(trustFile), text)
}

// parseNames returns the names of a file: a JSON object from kid to name. It refuses anything else.
func parseNames(file string, text []byte) (map[string]string, error) {
	refused := refuse(exitUsage, `"`+file+`" does not hold names of keys: it must be a JSON object from key identifiers to texts.`,
		"Correct it, or delete it: it holds nothing but names.")
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	if err != nil || tree.Root().Kind() != jsonx.Object {
		return nil, refused
	}
	names := map[string]string{}
	for key, value := range tree.Root().Members() {
		kid, _ := key.Text()
		name, isText := value.Text()
		if !isText || !kidForm.MatchString(kid) {
			return nil, refused
		}
		names[kid] = name
	}
	return names, nil
}

// readerOf returns what the reader of a page brings along.
func (s *system) readerOf(call *cmdline.Call, policy members) (reader render.Reader, err error) {
	if policy != nil {
		if reader, err = pinsOf(policy); err != nil {
			return reader, err
		}
	}
	reader.Names, err = s.readNames(call.Value("trust"))
	return reader, err
}

func pinsOf(policy members) (reader render.Reader, err error) {
	text, err := jsonx.Encode(map[string]any(policy))
	if err != nil {
		return reader, err
	}
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	if err != nil {
		return reader, err
	}
	for _, one := range tree.Root().Get("signers").Elements() {
		key, _ := one.Get("public_key_hex").Text()
		kid, _ := one.Get("kid").Text()
		if raw, err := hex.DecodeString(key); kid == "" && err == nil {
			kid = examine.KIDOf(raw)
		}
		reader.Pinned = append(reader.Pinned, render.Pin{KID: kid, PublicKeyHex: key})
	}
	if known := tree.Root().Get("known_checkpoints"); known.Exists() {
		for _, one := range known.Elements() {
			stream, _ := one.Get("stream_id").Text()
			count, _ := one.Get("window_count").Int()
			reader.Known = append(reader.Known, render.KnownCheckpoint{StreamID: stream, WindowCount: count})
		}
	}
	return reader, nil
}
