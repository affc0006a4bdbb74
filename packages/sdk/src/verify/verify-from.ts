/**
 * Verifies a file, a stream or bytes in memory, offline: core's verifier takes the whole object. The kernel, and what
 * examines truth packages, evidence of a chain and evidence of vaults, are loaded when they are needed.
 */
import type { Kernel, Report } from "@svc/core";
import { type VerifierOptions, verify } from "@svc/core/verifier";
import { type EvidenceSource, readAll } from "./read-all.ts";

/** The options of core's `verify`, and a limit. */
export interface VerifyFromOptions extends Omit<VerifierOptions, "kernel" | "packages" | "vaults" | "chain"> {
  /** The kernel to compute with; by default the compiled kernel, or the reference kernel without WebAssembly. */
  readonly kernel?: Kernel;
  /** The most bytes to read; by default 2 GiB. */
  readonly maxBytes?: number;
  /** Ends the reading. */
  readonly signal?: AbortSignal;
}

const DEFAULT_MAX_BYTES = 2 ** 31;
/** An archive begins with these, and no JSON text does. */
const [LETTER_P, LETTER_K] = [0x50, 0x4b];
/** It ends the name of a member that every anchor in a block has. No digit of hex begins it, so it is soon found. */
const CHAIN_MEMBER = new TextEncoder().encode("header_rlp");

/**
 * Reads evidence of any kind to its end and verifies it under a trust policy. Resolves to the report: every fault of
 * the evidence is in it. All bytes are in memory meanwhile. `source`: bytes, a Blob or File, or a stream. `options`:
 * the trust policy, and limits. Rejects with RangeError for more than `maxBytes`, with the signal's reason, and with
 * the errors of the source.
 *
 * @example
 * const { verdict } = await verifyFrom(new Blob([pack]), { trust });
 * console.log(verdict); // verified
 */
export async function verifyFrom(source: EvidenceSource, options: VerifyFromOptions = {}): Promise<Report> {
  const { kernel, maxBytes = DEFAULT_MAX_BYTES, signal, ...rest } = options;
  const bytes = await readAll(source, maxBytes, signal);
  const isPackage = rest.kind === "truth-package" || (bytes[0] === LETTER_P && bytes[1] === LETTER_K);
  const asked = { ...rest, kernel: kernel ?? (await loadKernel()) };
  const report = isPackage || includes(bytes, CHAIN_MEMBER) ? null : verify(bytes, asked);
  // The small verifier rejects what it does not judge: evidence of vaults, and of a chain whose members are spelled
  // otherwise.
  if (report !== null && report.verdict !== "rejected") return report;
  const { examineEvidence, examineTruthPackage, vaultEvidence } = await import("./rest.ts");
  const all = { packages: examineTruthPackage, vaults: vaultEvidence, chain: examineEvidence };
  return verify(bytes, { ...asked, ...all });
}

/** Says whether bytes have some others among them. */
function includes(bytes: Uint8Array, sought: Uint8Array): boolean {
  const [first = 0] = sought;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (sought.every((byte, index) => bytes[at + index] === byte)) return true;
  return false;
}

/**
 * Resolves to the kernel of this runtime: the compiled one, or the reference kernel if WebAssembly is missing or
 * forbidden. `pinKeys` takes it. Rejects with KernelDamaged if the compiled kernel is not the one that was built.
 *
 * @example
 * const kernel = await loadKernel();
 * console.log(kernel.name); // wasm
 */
export async function loadKernel(): Promise<Kernel> {
  const { selectKernel } = await import("./kernel.ts");
  return selectKernel();
}
