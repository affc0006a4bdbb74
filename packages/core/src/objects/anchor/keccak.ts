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
  // The padding is at least one byte, whose lowest bit is its beginning and whose highest is its end.
  const padded = new Uint8Array((Math.floor(bytes.length / RATE_BYTES) + 1) * RATE_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x01;
  padded[padded.length - 1] = (padded.at(-1) as number) | 0x80;
  const view = new DataView(padded.buffer);
  // A lane is two words, the lower one first, so that its bytes are little-endian on every machine.
  const state = new Int32Array(50);
  for (let start = 0; start < padded.length; start += RATE_BYTES) {
    for (let at = 0; at < RATE_BYTES / 4; at++) mix(state, at, view.getInt32(start + 4 * at, true));
    permute(state);
  }
  return Uint8Array.from({ length: 32 }, (_, index) => word(state, index >> 2) >>> (8 * (index & 3)));
}

function permute(state: Int32Array): void {
  const parity = new Int32Array(10);
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    // Theta: each column takes in the parity of the two beside it.
    for (let column = 0; column < 10; column++) {
      parity[column] = 0;
      for (let at = column; at < 50; at += 10) mix(parity, column, word(state, at));
    }
    for (let column = 0; column < 10; column++) {
      const next = (column + 2) % 10;
      // The other half of a lane gives the bit that is rotated in.
      const turned = (word(parity, next) << 1) | (word(parity, next ^ 1) >>> 31);
      const taken = word(parity, (column + 8) % 10) ^ turned;
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
    // Chi: the only step that is not linear. It works on rows of five lanes, here on one half of each lane at a time.
    for (let row = 0; row < 10; row++) {
      const at = 10 * (row >> 1) + (row & 1);
      const a = word(state, at);
      const b = word(state, at + 2);
      const c = word(state, at + 4);
      const d = word(state, at + 6);
      const e = word(state, at + 8);
      state[at] = a ^ (~b & c);
      state[at + 2] = b ^ (~c & d);
      state[at + 4] = c ^ (~d & e);
      state[at + 6] = d ^ (~e & a);
      state[at + 8] = e ^ (~a & b);
    }
    // Iota: the constant of the round, bit by bit from a register.
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) mix(state, bit === 6 ? 1 : 0, 1 << ((1 << bit) - 1));
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
