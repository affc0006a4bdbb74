/**
 * The key that has a fingerprint: a person has heard the fingerprint by phone, and a file carries the key. The file is
 * trusted for nothing: its key counts because it fits.
 */
import type { Json, Kernel, PublicKeyHex } from "@svc/core";
import { openEvidence } from "../evidence-file/open.ts";
import { EXIT, Refusal } from "../exit.ts";
import { fingerprintOf } from "../keys/forms.ts";
import { plainHex } from "../public-key.ts";

const HASH_OR_KEY = /^[0-9a-f]{64}$/;
/** So many digits a person may have heard or typed wrongly. */
const MAX_SLIPS = 2;

/**
 * Resolves to the key in a file whose fingerprint is the given one, 64 hex digits in any form. Refuses a fingerprint
 * that is not whole (64), and a file that carries no such key (1).
 */
export async function keyOfFingerprint(kernel: Kernel, given: string, file: string): Promise<PublicKeyHex> {
  const fingerprint = plainHex(given);
  if (!HASH_OR_KEY.test(fingerprint))
    throw new Refusal(
      EXIT.usage,
      `--fingerprint: a fingerprint has 64 hex digits, and this has ${fingerprint.length} characters.`,
      "Have all of it read out: anybody can make a key whose fingerprint begins like another's.",
    );
  const { value } = await openEvidence(kernel, file);
  const keys = [...keysIn(value)];
  const found = keys.find((key) => fingerprintOf(kernel, key) === fingerprint);
  if (found !== undefined) return found;
  const near = keys.map((key) => slipsBetween(fingerprint, fingerprintOf(kernel, key))).find(isNear);
  throw new Refusal(
    EXIT.rejected,
    near === undefined
      ? `"${file}" carries no key with that fingerprint.`
      : `"${file}" carries a key whose fingerprint differs in ${near.length === 1 ? "digit" : "digits"} ` +
          `${near.join(" and ")}.`,
    near === undefined
      ? "Nothing was changed. The service may mean another key: ask it, and not the sender of the file."
      : "Nothing was changed. Compare that place again.",
  );
}

/** Returns every public key that evidence carries. */
function keysIn(value: Json): Set<PublicKeyHex> {
  const found = new Set<PublicKeyHex>();
  const open: Json[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null) continue;
    for (const [name, member] of Object.entries(one)) {
      if (name === "public_key_hex" && HASH_OR_KEY.test(`${member}`)) found.add(member as PublicKeyHex);
      else open.push(member as Json);
    }
  }
  return found;
}

function slipsBetween(left: string, right: string): number[] {
  return [...left].flatMap((digit, index) => (digit === right[index] ? [] : [index + 1]));
}

function isNear(digits: readonly number[]): boolean {
  return digits.length <= MAX_SLIPS;
}
