package main

import (
	"crypto/ed25519"
	"fmt"
	"slices"

	"svc.example/go/internal/ed25519x"
)

const (
	batchItems   = 1024
	messageBytes = 200
	batches      = 16
)

// signatures verifies batches of good signatures of one key, in one of the ways.
func signatures(way string) error {
	items := signed()
	var work func() bool
	switch way {
	case "batches":
		work = func() bool { return !slices.Contains(ed25519x.VerifyBatch(items), false) }
	case "alone":
		work = each(items, func(one ed25519x.Item) bool { return ed25519x.Verify(one.PublicKey, one.Message, one.Signature) })
	case "loop":
		work = each(items, func(one ed25519x.Item) bool { return ed25519.Verify(one.PublicKey, one.Message, one.Signature) })
	default:
		return fmt.Errorf("no way is called %q", way)
	}
	good := true
	took := measured(batches, func() { good = work() && good })
	return say(struct {
		taken
		Good       bool `json:"good"`
		Signatures int  `json:"signatures"`
	}{took, good, batches * batchItems})
}

func each(items []ed25519x.Item, verify func(ed25519x.Item) bool) func() bool {
	return func() bool {
		return !slices.ContainsFunc(items, func(one ed25519x.Item) bool { return !verify(one) })
	}
}

func signed() []ed25519x.Item {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	items := make([]ed25519x.Item, batchItems)
	for i := range items {
		message := make([]byte, messageBytes)
		message[0], message[1] = byte(i), byte(i>>8)
		items[i] = ed25519x.Item{PublicKey: key.Public().(ed25519.PublicKey), Message: message, Signature: ed25519.Sign(key, message)}
	}
	return items
}
