/**
 * Makes one trust policy of the options `--trust` and `--public-key-hex` (protocol section 16). Core decides whether a
 * policy is well formed; a bad one is a mistake in the call, found before any evidence is read.
 */
import { detectKind, type Kernel, MEANINGS, parseTrustPolicy, pinKeys, TRUST_PATH, type TrustPolicy } from "@svc/core";
import { lineAndColumn, nounOf } from "@svc/report";
import { otherThanEvidence } from "./evidence-file/not-evidence.ts";
import { EXIT, Refusal } from "./exit.ts";
import { readInput } from "./input.ts";
import { readByAll } from "./kernels-agree.ts";
import { parsePublicKeyHex } from "./public-key.ts";

/** The part of the command line that is about trust. */
export interface TrustOptions {
  readonly publicKeyHex?: readonly string[];
  readonly trust?: string;
}

/**
 * Resolves to the policy of the file with the given keys pinned beside its signers; undefined if the call names nobody.
 * Every kernel that will verify reads it, and must read the same.
 */
export async function readTrust(kernels: readonly Kernel[], options: TrustOptions): Promise<TrustPolicy | undefined> {
  const keys = [...new Set((options.publicKeyHex ?? []).map(parsePublicKeyHex))];
  const file = options.trust;
  if (file === undefined && keys.length === 0) return undefined;
  const bytes = file === undefined ? null : await readInput(file);
  return readByAll(kernels, "trust", (kernel): TrustPolicy => {
    const pins = pinKeys(kernel, keys);
    if (file === undefined || bytes === null) return pins;
    const { policy: read } = parseTrustFile(kernel, file, bytes);
    return { ...read, signers: [...read.signers, ...pins.signers] };
  });
}

/**
 * Parses the bytes of a trust file. Returns the policy as written, and the policy for verifying, with the pins of its
 * quorum's text. Refuses a file that is no trust policy, with its first fault (64). `file` is its name, `-` for
 * standard input.
 */
export function parseTrustFile(
  kernel: Kernel,
  file: string,
  bytes: Uint8Array,
): { readonly written: TrustPolicy; readonly policy: TrustPolicy } {
  const name = file === "-" ? "from standard input" : `"${file}"`;
  const other = otherThanEvidence(bytes);
  if (other !== null) throw new Refusal(EXIT.usage, `The trust file ${name} is ${other[0]}`, giveJson(bytes));
  const parsed = kernel.parseJson(bytes);
  if (!parsed.ok) {
    const { line, column } = lineAndColumn(bytes, parsed.offset);
    throw new Refusal(
      EXIT.usage,
      `The trust file ${name} is not JSON as svc reads it: ${parsed.code} at line ${line}, byte ${column}.`,
      MEANINGS[parsed.code],
    );
  }
  const read = parseTrustPolicy(kernel, parsed.value);
  if (read.ok) return { written: parsed.value as TrustPolicy, policy: read.policy };
  const kind = detectKind(parsed.value);
  if (kind !== null)
    throw new Refusal(
      EXIT.usage,
      `The trust file ${name} looks like ${nounOf(kind)}, which is evidence and says nothing of whom you trust.`,
      "Name it as the file, and give your own trust policy with --trust.",
    );
  const [fault] = read.problems;
  if (fault === undefined) throw new TypeError("a policy was refused without a problem");
  const place = fault.path.slice(TRUST_PATH.length);
  const more = read.problems.length > 1 ? ` (and ${read.problems.length - 1} more)` : "";
  throw new Refusal(
    EXIT.usage,
    `The trust file ${name} is no trust policy: ${fault.code}${place === "" ? "" : ` at ${place}`}${more}. ` +
      `${fault.message}`,
    "Correct the file; protocol section 16 names every member of a trust policy.",
  );
}

function giveJson({ length }: Uint8Array): string {
  return length === 0
    ? "Check that it is the file you meant."
    : 'A trust policy is JSON in UTF-8, without a byte-order mark; "svc trust --help" keeps one.';
}
