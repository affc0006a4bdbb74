package main

import (
	"encoding/hex"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/cmd/svc/internal/trustfile"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
	"svc.example/go/render"
)

// readNames returns a person's names of keys beside a trust file; none if the call names no file, or if no names are
// beside it.
func (s *system) readNames(trustFile string) (map[string]string, error) {
	file := trustfile.NamesFile(trustFile)
	if trustFile == "" || isStandardInput(trustFile) || !exists(file) {
		return nil, nil
	}
	text, err := s.readInput(file, maxInput)
	if err != nil {
		return nil, err
	}
	names, err := trustfile.ParseNames(file, text)
	if err != nil {
		return nil, ofTrustFile(trustFile, err)
	}
	byKID := map[string]string{}
	for _, one := range names.Members() {
		byKID[one.Name] = names.Text(one.Name)
	}
	return byKID, nil
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
