/**
 * The examination of an envelope: its seal, and the content beside it (protocol section 20). The record of it
 * by the service is checked where it stands: in a bundle or a disclosure.
 */
import type { Kernel } from "../../kernel/kernel.ts";
import { ZERO_HASH } from "../../protocol.ts";
import type { Examination } from "../../report/examination.ts";
import type { HashHex, PublicKeyHex } from "../../schema/atoms.ts";
import { examineInstallationSeal } from "../../vault/installation-seal.ts";
import type { KnownKey } from "../../vault/known-keys.ts";
import { rootsOf } from "../capsule/paths.ts";
import { contentHash, envelopeBody } from "./issue.ts";
import type { Content, Envelope, SealedEnvelope } from "./schema.ts";

/** Names an envelope in words. */
export function envelopeInWords({ vaultSeq, installationId }: SealedEnvelope): string {
  return `envelope ${vaultSeq} of ${installationId}`;
}

/**
 * Has the seal of an envelope checked under the key of its installation. `holdsUnder`: the key under which the
 * seal is known to hold.
 */
export function examineEnvelopeSeal(
  exam: Examination,
  envelope: SealedEnvelope,
  key: KnownKey,
  path: string,
  holdsUnder?: PublicKeyHex | null,
): void {
  examineInstallationSeal(exam, "envelope", key, {
    tag: "envelope",
    body: () => envelopeBody(envelope),
    seal: envelope.seal,
    path: `${path}/seal`,
    what: () => envelopeInWords(envelope),
    code: "envelope_signature_invalid",
    holdsUnder,
  });
}

/** Checks that an envelope begins its vault's chain if it is the first one, and only then. */
export function examineFirst(exam: Examination, envelope: SealedEnvelope, path: string): void {
  const { vaultSeq, previousEnvelopeHash } = envelope;
  exam.expect("envelope", (vaultSeq === 1) === (previousEnvelopeHash === ZERO_HASH), {
    code: "vault_chain_broken",
    path: `${path}/previousEnvelopeHash`,
    message: `${envelopeInWords(envelope)}: the first envelope of a vault in a stream, and no other, follows 64 zeros.`,
  });
}

/**
 * Says what is not checked of an envelope that stands outside of a bundle; null if there is nothing to say.
 * `isStartTold`: whether an attestation tells the key of its start.
 */
export function uncheckedNote({ content, startSeal }: Envelope, isStartTold: boolean): string | null {
  const notes = [
    ...(content === undefined ? ["the content is not here"] : []),
    ...(startSeal === undefined || isStartTold ? [] : ["the start seal was not checked: nothing here tells its key"]),
  ];
  return notes.join("; ") || null;
}

/** The hash of a content, and the root to which its commitments lead; null if they lead to none. */
export interface ContentDigests {
  readonly hash: HashHex;
  readonly root: HashHex | null;
}

/** Returns the digests of contents. `known`: hashes that have been computed already. */
export function contentDigests(
  kernel: Kernel,
  contents: readonly Content[],
  known: readonly (HashHex | undefined)[] = [],
): ContentDigests[] {
  const roots = rootsOf(kernel, contents);
  return contents.map((content, index) => ({
    hash: known[index] ?? contentHash(kernel, content),
    root: roots[index] as HashHex | null,
  }));
}

/**
 * Checks that a content is the one that an envelope binds, and that its commitments lead to the capsule's root.
 */
export function examineContent(
  exam: Examination,
  envelope: SealedEnvelope,
  content: Content,
  path: string,
  { hash, root }: ContentDigests = contentDigests(exam.kernel, [content])[0] as ContentDigests,
): void {
  // Most hold, and need no words.
  if (hash !== envelope.contentHash)
    exam.reject("envelope", {
      code: "content_hash_mismatch",
      path,
      message: `The content is not the one that ${envelopeInWords(envelope)} was sealed over.`,
      expected: envelope.contentHash,
      actual: hash,
    });
  if (root !== envelope.capsuleRoot)
    exam.reject("envelope", {
      code: "capsule_path_invalid",
      path: `${path}/capsulePath`,
      message: `The commitments of ${envelopeInWords(envelope)} do not lead to the root of its capsule.`,
    });
}
