/**
 * The answers of a kernel to a fixed list of questions. It runs in every runtime, so it uses nothing of Node or of a
 * browser.
 */
import type { KernelInstance } from "@svc/wasm";
import {
  hexToBytes,
  type Json,
  type Kernel,
  type Kind,
  parseBase64,
  type Report,
  type SignatureItem,
  verify,
} from "../../src/index.ts";
import { hashAll, sha256, verifyEd25519 } from "../../src/kernel/wasm/hashes.ts";
import { rootFromLeafHashes } from "../../src/kernel/wasm/merkle.ts";

/** An object to verify: a file of fixtures/cases. */
export interface Case {
  readonly kind: Kind;
  readonly trust: Json;
  readonly input?: string;
  /** Bytes in base64, instead of a text. */
  readonly input_base64?: string;
}

/** The answers of a kernel. */
export interface Answers {
  readonly name: string;
  readonly sha256Hex: string | null;
  readonly canonical: string;
  readonly refusedText: unknown;
  readonly sha256: string;
  readonly signatures: readonly boolean[];
  readonly root: string;
  /** Without `verifier`, which names the kernel. */
  readonly reports: readonly Omit<Report, "verifier">[];
  readonly kernelsOfReports: readonly (string | null)[];
}

/** The answers of an instance, without the reports. */
export type InstanceAnswers = Pick<Answers, "sha256" | "signatures" | "root">;

/** RFC 8785, section 3.2.2; as a value, because this protocol's JSON does not accept all of its numbers. */
const VALUE: Json = {
  numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27],
  string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
  literals: [null, true, false],
};
const ABC = encode("abc");
/** RFC 8032, section 7.1, test 2. */
const SIGNED: SignatureItem = {
  publicKey: hexToBytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
  message: Uint8Array.of(0x72),
  signature: hexToBytes(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  ),
};
const SIGNATURES = [SIGNED, { ...SIGNED, message: Uint8Array.of(0x73) }, SIGNED];
/** The leaves of the test data that implementations of Certificate Transparency share. */
const LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map(
  hexToBytes,
);

/** The answers that every kernel must give, from the documents named above and FIPS 180-4. */
export const KNOWN = {
  canonical:
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  refusedText: { ok: false, code: "duplicate_name", offset: 7 },
  sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  signatures: [true, false, true],
  root: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
} as const;

/** Asks a kernel everything. */
export function answersOf(kernel: Kernel, cases: readonly Case[]): Answers {
  const reports = cases.map(({ input, input_base64 = "", kind, trust }) => {
    const bytes = input === undefined ? parseBase64(input_base64) : encode(input);
    return verify(bytes ?? new Uint8Array(), { kind, trust, kernel });
  });
  return {
    name: kernel.name,
    sha256Hex: kernel.sha256Hex,
    canonical: decode(kernel.canonicalize(VALUE)),
    refusedText: kernel.parseJson(encode('{"a":1,"a":2}')),
    sha256: hex(kernel.sha256(ABC)),
    signatures: kernel.verifyEd25519(SIGNATURES),
    root: hex(kernel.rootFromLeafHashes(LEAVES.map((leaf) => kernel.leafHash(leaf)))),
    reports: reports.map(({ verifier: _, ...report }) => report),
    kernelsOfReports: reports.map(({ verifier }) => verifier.kernel_sha256),
  };
}

/** Asks an instance the questions that need no more than one. */
export function instanceAnswers(kernel: KernelInstance): InstanceAnswers {
  return {
    sha256: hex(sha256(kernel, ABC)),
    signatures: verifyEd25519(kernel, SIGNATURES),
    root: hex(
      rootFromLeafHashes(
        kernel,
        LEAVES.map((leaf) => hashAll(kernel, Uint8Array.of(0), [leaf])),
      ),
    ),
  };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
