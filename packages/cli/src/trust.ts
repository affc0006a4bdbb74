/**
 * From the options `--trust` and `--public-key-hex` to one trust policy (protocol section 16). Whether a policy is well formed is core's
 * to say; here a bad one is a mistake in the call, found before any evidence is read.
 */
import { CODES, type Json, type Kernel, pinKeys, type TrustPolicy, verify } from "@svc/core";
import { lineAndColumn } from "./evidence.ts";
import { EXIT, Refusal } from "./exit.ts";
import { readInput } from "./input.ts";
import { parsePublicKeyHex } from "./public-key.ts";

/** What the command line says of trust. */
export interface TrustOptions {
  readonly publicKeyHex?: readonly string[];
  readonly trust?: string;
}

/** Where core's report places a problem of the policy, and not of the evidence. */
const TRUST_PATH = "trust:";

/** The policy of the file with the given keys pinned beside its signers; undefined where the call names nobody. */
export async function readTrust(kernel: Kernel, options: TrustOptions): Promise<TrustPolicy | undefined> {
  const keys = [...new Set((options.publicKeyHex ?? []).map(parsePublicKeyHex))];
  const pins = pinKeys(kernel, keys);
  if (options.trust === undefined) return keys.length === 0 ? undefined : pins;
  const policy = parsePolicy(kernel, options.trust, await readInput(options.trust));
  return { ...policy, signers: [...policy.signers, ...pins.signers] };
}

function parsePolicy(kernel: Kernel, file: string, bytes: Uint8Array): TrustPolicy {
  const name = file === "-" ? "from standard input" : `"${file}"`;
  if (bytes.length === 0)
    throw new Refusal(EXIT.usage, `The trust file ${name} is empty.`, "Check that it is the file you meant.");
  const parsed = kernel.parseJson(bytes);
  if (!parsed.ok) {
    const { line, column } = lineAndColumn(bytes, parsed.offset);
    throw new Refusal(
      EXIT.usage,
      `The trust file ${name} is not JSON as svc reads it: ${parsed.code} at line ${line}, byte ${column}.`,
      CODES[parsed.code].meaning,
    );
  }
  // Core judges a policy whenever it verifies; empty evidence is enough to hear what it says of the policy alone.
  const { problems } = verify(new Uint8Array(), { trust: parsed.value, kernel });
  const faults = problems.filter(({ path }) => path.startsWith(TRUST_PATH));
  const [fault] = faults;
  if (fault === undefined) return parsed.value as unknown as TrustPolicy;
  const place = fault.path.slice(TRUST_PATH.length);
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  throw new Refusal(
    EXIT.usage,
    `The trust file ${name} is no trust policy: ${fault.code}${place === "" ? "" : ` at ${place}`}${more}. ${fault.message}`,
    "Correct the file; protocol section 16 names every member of a trust policy.",
  );
}

/** The policy as the JSON that core's `verify` takes. */
export function asJson(policy: TrustPolicy): Json {
  return policy as unknown as Json;
}
