/**
 * Keccak-256 of Ethereum (the original padding, not that of SHA-3), for the evidence of anchors (protocol section 12).
 * It is our own because a page carries it, and the library's code serves every variant. A test compares it with the
 * library's.
 */

const RATE_BYTES = 136;
const ROUNDS = 24;
/** The order in which rho and pi move one lane into the next, and the bits by which each is rotated; never 0 or 32. */
const LANES = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1];
const TURNS = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44];

/** Returns the hash of bytes; 32 bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  // A lane is two words, the lower one first, so that its bytes are little-endian on every machine.
  const state = new Int32Array(50);
  const absorb = (byte: number, at: number) => mix(state, at >> 2, byte << (8 * (at & 3)));
  let at = 0;
  for (const byte of bytes) {
    absorb(byte, at++);
    if (at === RATE_BYTES) {
      permute(state);
      at = 0;
    }
  }
  absorb(0x01, at);
  absorb(0x80, RATE_BYTES - 1);
  permute(state);
  return Uint8Array.from({ length: 32 }, (_, index) => word(state, index >> 2) >>> (8 * (index & 3)));
}

function permute(state: Int32Array): void {
  const row = new Int32Array(10);
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    // Theta: each column takes in the parity of the two beside it.
    for (let column = 0; column < 10; column++) {
      row[column] = 0;
      for (let at = column; at < 50; at += 10) mix(row, column, word(state, at));
    }
    for (let column = 0; column < 10; column++) {
      const next = (column + 2) % 10;
      // The other half of a lane gives the bit that is rotated in.
      const turned = (word(row, next) << 1) | (word(row, next ^ 1) >>> 31);
      const taken = word(row, (column + 8) % 10) ^ turned;
      for (let at = column; at < 50; at += 10) mix(state, at, taken);
    }
    // Rho and pi: every lane but the first moves, and is rotated.
    let [low, high] = [word(state, 2), word(state, 3)];
    for (let step = 0; step < ROUNDS; step++) {
      const at = 2 * (LANES[step] as number);
      const bits = TURNS[step] as number;
      // A shift counts modulo 32.
      const first = (low << bits) | (high >>> -bits);
      const second = (high << bits) | (low >>> -bits);
      low = word(state, at);
      high = word(state, at + 1);
      state[at] = bits < 32 ? first : second;
      state[at + 1] = bits < 32 ? second : first;
    }
    // Chi: the only step that is not linear.
    for (let start = 0; start < 50; start += 10) {
      for (let at = 0; at < 10; at++) row[at] = word(state, start + at);
      for (let at = 0; at < 10; at++) mix(state, start + at, ~word(row, (at + 2) % 10) & word(row, (at + 4) % 10));
    }
    // Iota: the constant of the round, bit by bit from a register.
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) mix(state, bit === 6 ? 1 : 0, 1 << (2 ** bit - 1));
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
  }
}

function word(words: Int32Array, at: number): number {
  return words[at] as number;
}

function mix(words: Int32Array, at: number, bits: number): void {
  words[at] = word(words, at) ^ bits;
}
