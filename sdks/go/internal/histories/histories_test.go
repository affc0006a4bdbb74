package histories

import (
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

type shows struct {
	Stream   string            `json:"stream_id"`
	From     int64             `json:"from"`
	Events   string            `json:"events"`
	Windows  map[string]string `json:"windows"`
	Roots    map[string]string `json:"roots"`
	Endorsed [][2]string       `json:"endorsed"`
}

type wanted struct {
	Stream      string `json:"stream_id"`
	Left, Right int
	Place       map[Place]int64 `json:"place"`
	IsReached   bool            `json:"reached"`
}

// TestCases holds the comparison to the cases of fixtures/histories.json, which every language answers alike.
func TestCases(t *testing.T) {
	wire, err := os.ReadFile("../../../../fixtures/histories.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Cases []struct {
			Name    string
			Objects []struct {
				Shows   []shows
				Signers []report.Signer
			}
			Contradictions []wanted
		}
	}
	if err := json.Unmarshal(wire, &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Cases) < 20 {
		t.Fatalf("%d cases", len(table.Cases))
	}
	for _, one := range table.Cases {
		t.Run(one.Name, func(t *testing.T) {
			objects := make([]Object, len(one.Objects))
			for i, object := range one.Objects {
				objects[i].Signers = object.Signers
				for _, history := range object.Shows {
					objects[i].Histories = append(objects[i].Histories, history.history(t))
				}
			}
			found := []wanted{}
			for _, c := range Contradictions(objects) {
				found = append(found, wanted{c.Stream, c.Left, c.Right, map[Place]int64{c.Place: c.At}, c.IsReached})
			}
			if !reflect.DeepEqual(found, one.Contradictions) {
				t.Errorf("found %v, wanted %v", found, one.Contradictions)
			}
		})
	}
}

func (s shows) history(t *testing.T) *History {
	h := &History{Stream: s.Stream, From: s.From}
	for _, character := range s.Events {
		h.Events = append(h.Events, hashOf(t, string(character)))
	}
	for at, character := range s.Windows {
		if h.Windows == nil {
			h.Windows = map[int64]digest.Hash{}
		}
		h.Windows[placeOf(t, at)] = digest.Hash(hashOf(t, character))
	}
	for at, character := range s.Roots {
		if h.Roots == nil {
			h.Roots = map[int64]merkle.Hash{}
		}
		h.Roots[placeOf(t, at)] = hashOf(t, character)
	}
	for _, pair := range s.Endorsed {
		h.Endorsed = append(h.Endorsed, Endorsement{pair[0], pair[1]})
	}
	return h
}

// hashOf returns the hash whose hex digits are all this one.
func hashOf(t *testing.T, digit string) (hash merkle.Hash) {
	value, err := strconv.ParseUint(strings.Repeat(digit, 2), 16, 8)
	if err != nil {
		t.Fatal(err)
	}
	for i := range hash {
		hash[i] = byte(value)
	}
	return hash
}

func placeOf(t *testing.T, text string) int64 {
	at, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
