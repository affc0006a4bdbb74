/** How the holder of a capsule discloses fields of it (protocol section 28). */
import type { JsonObject, Kernel } from "../../kernel/kernel.ts";
import { makeSeal, type Signer } from "../../seal.ts";
import { type Capsule, openField } from "../capsule/capsule.ts";
import { envelopeHash } from "../envelope/issue.ts";
import type { Disclosure } from "./schema.ts";

/** The input of a disclosure. */
export interface DisclosureInput
  extends Pick<
    Disclosure,
    "disclosureId" | "audience" | "nonce" | "disclosedAt" | "envelope" | "receipt" | "keyStatus" | "attestations"
  > {
  /** The fields and leaves of the capsule, and the names of those to open; null to open none. */
  readonly opened: { readonly capsule: Pick<Capsule, "fields" | "leaves">; readonly names: readonly string[] } | null;
}

/** Returns the members that the seal of a disclosure covers. */
export function disclosureBody(disclosure: Omit<Disclosure, "seal">): JsonObject {
  const { disclosureId, envelopeHash: hash, fields, audience, nonce, disclosedAt } = disclosure;
  return { disclosureId, envelopeHash: hash, fields, audience, nonce, disclosedAt };
}

/**
 * Discloses fields of a capsule (protocol section 28). `signer`: the installation's key; null for a disclosure without
 * seal, which anybody can pass on, and whose audience and nonce are null. `input`: what is opened, for whom, and what
 * shows where it comes from. Resolves to the disclosure. Rejects with RangeError for a name that the capsule does not
 * hold, and as `sign` does. It does not check that the parts fit each other: `verify` does.
 *
 * @example
 * const disclosure = await issueDisclosure(kernel, null, { ...disclosureInput, opened: null });
 * console.log(disclosure.fields.length, disclosure.seal); // 0 null
 */
export async function issueDisclosure(
  kernel: Kernel,
  signer: Signer | null,
  input: DisclosureInput,
): Promise<Disclosure> {
  const { opened, envelope, receipt, keyStatus, attestations, ...stated } = input;
  const fields = (opened?.names ?? []).map((name) =>
    openField(kernel, (opened as NonNullable<typeof opened>).capsule, name),
  );
  fields.sort((a, b) => a.index - b.index);
  const body = {
    ...stated,
    envelopeHash: envelopeHash(kernel, envelope),
    fields: fields.map((field) => ({ ...field, path: [...field.path] })),
    envelope,
    receipt,
    keyStatus,
    attestations: [...attestations],
  };
  const seal = signer === null ? null : await makeSeal(kernel, "disclosure", disclosureBody(body), signer);
  return { ...body, seal };
}
