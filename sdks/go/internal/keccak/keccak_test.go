package keccak_test

import (
	"encoding/hex"
	"testing"

	"svc.example/go/internal/keccak"
)

// The hashes are those that the Keccak team and Ethereum publish.
func TestSum256(t *testing.T) {
	for text, want := range map[string]string{
		"":    "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
		"abc": "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
		"The quick brown fox jumps over the lazy dog": "4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15",
		"Transfer(address,address,uint256)":           "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
	} {
		sum := keccak.Sum256([]byte(text))
		if hex.EncodeToString(sum[:]) != want {
			t.Errorf("%q: %x", text, sum)
		}
	}
}

// The hash of the hashes of 0 to 299 bytes, which end on every place of a block, is that of @noble/hashes.
func TestLengths(t *testing.T) {
	var all []byte
	for n := range 300 {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(i*7 + n)
		}
		sum := keccak.Sum256(data)
		all = append(all, sum[:]...)
	}
	const want = "bf522ff1b1a4b7ddcb2f7ebdeb7f81a29db805539ea02050a078ebf791ed2b27"
	if sum := keccak.Sum256(all); hex.EncodeToString(sum[:]) != want {
		t.Errorf("%x", sum)
	}
}
