package main

import (
	"encoding/json"
	"fmt"
	"os"

	"svc.example/go/internal/jsonx"
)

// parse reads the canonical JSON of a file in one of the ways.
func parse(way, name string) error {
	const times = 5
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var work func() error
	switch way {
	case "ours":
		work = func() error {
			tree, err := jsonx.Parse(text, jsonx.Limits{})
			if err == nil && !tree.WireIsCanonical() {
				err = fmt.Errorf("%s is not canonical", name)
			}
			return err
		}
	case "plain":
		work = func() error {
			var value any
			return json.Unmarshal(text, &value)
		}
	default:
		return fmt.Errorf("no way is called %q", way)
	}
	took := measured(times, func() {
		if failure := work(); failure != nil {
			err = failure
		}
	})
	if err != nil {
		return err
	}
	return say(struct {
		taken
		Bytes int `json:"bytes"`
	}{took, times * len(text)})
}
