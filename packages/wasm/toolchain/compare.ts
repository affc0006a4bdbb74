/** Says how a rebuilt kernel differs from the committed one. */
import { sha256 } from "./lock.ts";

/** Returns `null` if both are the same bytes; otherwise the difference, its first place, and what to do. */
export function tellDifference(committed: Uint8Array, rebuilt: Uint8Array): string | null {
  if (Buffer.compare(committed, rebuilt) === 0) return null;
  const shorter = Math.min(committed.length, rebuilt.length);
  let at = 0;
  while (at < shorter && committed[at] === rebuilt[at]) at++;
  return (
    `The committed kernel.wasm is not what its sources give: ${committed.length} bytes, SHA-256 ` +
    `${sha256(committed)}, against ` +
    `${rebuilt.length} bytes, SHA-256 ${sha256(rebuilt)}; first different byte at ${at}. Run \`pnpm ` +
    `kernel:build\` and look at what ` +
    "changed before you commit it. If nothing did on your side, do not use this kernel, and report it as " +
    "SECURITY.md says."
  );
}
