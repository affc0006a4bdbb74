/** Inflates by both kernels: they take the same streams, and give the same bytes. */
import assert from "node:assert/strict";
import { kernels } from "../kernel/kernels.ts";

/** The most output in one piece, in bytes. */
const MAX_PIECE_BYTES = 98_304;

/** Returns the output; null if the stream is refused. No kernel hands out more than is declared, or an empty piece. */
export function inflated(packed: Uint8Array, sizeBytes: number): Buffer | null {
  const [first = assert.fail(), ...others] = kernels.map(({ name, inflate }) => {
    const pieces: Buffer[] = [];
    const isGood = inflate(packed, sizeBytes, (piece) => {
      assert.ok(piece.length > 0 && piece.length <= MAX_PIECE_BYTES, `${name}: a piece of ${piece.length} bytes`);
      pieces.push(Buffer.from(piece));
    });
    const out = Buffer.concat(pieces);
    assert.ok(out.length <= sizeBytes, `${name} gives ${out.length} bytes, and ${sizeBytes} are declared`);
    return isGood ? out : null;
  });
  const about = () => `${packed.length} bytes: ${Buffer.from(packed.subarray(0, 500)).toString("hex")}`;
  for (const other of others)
    assert.ok(first === null || other === null ? first === other : first.equals(other), about());
  return first;
}
