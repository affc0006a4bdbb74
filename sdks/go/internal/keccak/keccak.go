// Package keccak has Keccak-256, the hash of Ethereum (protocol section 12): SHA-3 with the padding that it had before
// it was standardized.
package keccak

import (
	"encoding/binary"
	"math/bits"
)

// Size is the length of a hash in bytes.
const Size = 32

// rate is the number of bytes that one block takes in.
const rate = 200 - 2*Size

// Sum256 returns Keccak-256 of the data.
func Sum256(data []byte) (sum [Size]byte) {
	var state [25]uint64
	for ; len(data) >= rate; data = data[rate:] {
		absorb(&state, data[:rate])
	}
	var last [rate]byte
	copy(last[:], data)
	last[len(data)] ^= 0x01
	last[rate-1] ^= 0x80
	absorb(&state, last[:])
	for i := range Size / 8 {
		binary.LittleEndian.PutUint64(sum[8*i:], state[i])
	}
	return sum
}

func absorb(state *[25]uint64, block []byte) {
	for i := range rate / 8 {
		state[i] ^= binary.LittleEndian.Uint64(block[8*i:])
	}
	permute(state)
}

// permute is Keccak-f[1600] of FIPS 202. Lane x, y is state[x+5y].
func permute(a *[25]uint64) {
	for _, constant := range roundConstants {
		// θ
		var column [5]uint64
		for x := range 5 {
			column[x] = a[x] ^ a[x+5] ^ a[x+10] ^ a[x+15] ^ a[x+20]
		}
		for x := range 5 {
			d := column[(x+4)%5] ^ bits.RotateLeft64(column[(x+1)%5], 1)
			for y := 0; y < 25; y += 5 {
				a[x+y] ^= d
			}
		}
		// ρ and π, along the one cycle that π has outside of lane 0.
		moved := a[1]
		for i, to := range cycle {
			a[to], moved = bits.RotateLeft64(moved, rotations[i]), a[to]
		}
		// χ
		for y := 0; y < 25; y += 5 {
			row := [5]uint64(a[y : y+5])
			for x := range 5 {
				a[y+x] = row[x] ^ (^row[(x+1)%5] & row[(x+2)%5])
			}
		}
		// ι
		a[0] ^= constant
	}
}

var (
	cycle     = [24]int{10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1}
	rotations = [24]int{1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44}
)

var roundConstants = [24]uint64{
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
	0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
	0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
}
