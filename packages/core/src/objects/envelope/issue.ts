/** The hashes of an envelope, and how a vault issues one (protocol section 20). */
import type { JsonObject, Kernel } from "../../kernel/kernel.ts";
import { digest } from "../../protocol.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { makeSeal, type Signer } from "../../seal.ts";
import type { Capsule } from "../capsule/capsule.ts";
import type { Content, Envelope, SealedEnvelope } from "./schema.ts";

/** The names of the members that the seals of an envelope and its hash cover. */
export const BODY_MEMBERS = [
  "installationId",
  "streamId",
  "sourceRef",
  "vaultSeq",
  "previousEnvelopeHash",
  "capsuleRoot",
  "contentHash",
] as const;

/** Returns the members that the seals of an envelope and its hash cover. */
export function envelopeBody(envelope: SealedEnvelope | Envelope): JsonObject {
  return Object.fromEntries(BODY_MEMBERS.map((name) => [name, envelope[name]]));
}

/**
 * Returns the envelope hash (protocol section 20), 64 lowercase hex characters. The next envelope of the vault names
 * it. `envelope`: its seals and content are not part of the hash. It checks nothing.
 *
 * @example
 * console.log(envelopeHash(kernel, envelope).length); // 64
 */
export function envelopeHash(kernel: Kernel, envelope: SealedEnvelope | Envelope): HashHex {
  return digest(kernel, "envelope", envelopeBody(envelope));
}

/** Returns the hash by which an envelope binds its content. */
export function contentHash(kernel: Kernel, content: Content): HashHex {
  return digest(kernel, "content", content);
}

/**
 * Returns an envelope without its content: the payload of its event (protocol section 20).
 *
 * @example
 * console.log("content" in envelope, "content" in sealedEnvelope(envelope)); // true false
 */
export function sealedEnvelope(envelope: Envelope): SealedEnvelope {
  const { content: _content, ...sealed } = envelope;
  return sealed;
}

/** The input of an envelope: everything that a vault knows before it seals it. */
export interface EnvelopeInput
  extends Pick<SealedEnvelope, "streamId" | "vaultSeq" | "previousEnvelopeHash">,
    Pick<Content, "occurredAt" | "sealedAt" | "eventType" | "assurance" | "metadata"> {
  readonly capsule: Capsule;
}

/**
 * Seals an envelope over a capsule (protocol section 20). `signer`: the installation's key. `input`: the capsule, the
 * place in the vault's own chain, and the members that the vault states. `start`: the key of this start, exactly for
 * the level L2. Resolves to the envelope with its content; rejects as `sign` does. It does not check that the members
 * fit each other: `verify` does.
 *
 * @example
 * const sealed = await issueEnvelope(kernel, signer, { ...envelopeInput, capsule: makeCapsule(kernel, capsuleInput) });
 * console.log(sealed.vaultSeq, sealed.content?.assurance.level); // 1 L0
 */
export async function issueEnvelope(
  kernel: Kernel,
  signer: Signer,
  input: EnvelopeInput,
  start?: Signer,
): Promise<Envelope> {
  const { capsule, streamId, vaultSeq, previousEnvelopeHash, ...stated } = input;
  const { installationId, sourceRef, capsuleRoot, commitments, capsuleSize, slotSalt, capsulePath } = capsule;
  const content = { ...stated, commitments, capsuleSize, slotSalt, capsulePath: [...capsulePath] };
  const body = {
    installationId,
    streamId,
    sourceRef,
    vaultSeq,
    previousEnvelopeHash,
    capsuleRoot,
    contentHash: contentHash(kernel, content),
  };
  return {
    ...body,
    seal: await makeSeal(kernel, "envelope", body, signer),
    ...(start === undefined ? {} : { startSeal: await makeSeal(kernel, "envelope-start", body, start) }),
    content,
  };
}
