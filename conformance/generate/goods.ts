/** The good objects whose mutants are frozen: small ones, so that the committed cases stay small. */
import { readFileSync } from "node:fs";
import { type Json, type JsonKind, referenceKernel as kernel, pinKeys, portableReceiptOf } from "@svc/core";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { issueVaultStream, VAULT, vaultBundleOf } from "@svc/testkit/evidence/vaults";
import { bytesOf } from "../../fixtures/case.ts";
import type { Draft } from "./draft.ts";
import { type Good, mutantDrafts } from "./mutants.ts";

/** The file of a good fixture by the family of its mutants, and how many of them are frozen. */
type Share = Readonly<Record<string, readonly [file: string, limit: number]>>;

const LEVEL_4: Share = {
  "receipt-mutants": ["receipt/good", 32],
  "redacted-receipt-mutants": ["receipt/good-redacted", 10],
  "window-mutants": ["window/good", 24],
  "inclusion-mutants": ["inclusion/bare", 14],
  "checkpoint-mutants": ["checkpoint/good-frontier", 24],
  "consistency-mutants": ["consistency/good-frontier", 12],
  "witness-mutants": ["witness/bare", 10],
  "key-mutants": ["key/good", 14],
  "envelope-mutants": ["envelope/good", 26],
  "vault-attestation-mutants": ["vault-attestation/good", 20],
  "key-status-mutants": ["key-status/good", 18],
  "provider-result-mutants": ["provider-result/bare", 12],
};
const LEVEL_5: Share = {
  "portable-receipt-mutants": ["portable-receipt/good-window", 20],
  "provenance-inclusion-mutants": ["provenance-inclusion/good", 16],
  "disclosure-mutants": ["disclosure/good-one", 16],
  "ivc-epoch-mutants": ["ivc-epoch/good-second", 16],
  "truth-package-mutants": ["truth-package/good-small", 6],
};
const LEVEL_6: Share = {
  "fork-head-mutants": ["fork/good-head-receipt-and-window", 18],
  "fork-chain-mutants": ["fork/good-chain-receipts-in-a-row", 18],
  "fork-checkpoint-mutants": ["fork/good-checkpoint-same-number", 14],
  "fork-epoch-mutants": ["fork/good-epoch-two-anchors", 14],
  "anchor-mutants": ["anchor/good", 16],
  "published-anchor-mutants": ["anchor/good-published", 16],
};

/** Returns the mutants of single objects. */
export async function level4Mutants(): Promise<Draft[]> {
  const { records } = await issueStream(2, { perWindow: 2 });
  const stream = made("stream", { stream_id: records[0]?.stream_id ?? "", records });
  return [...ofShare(LEVEL_4), ...mutantDrafts("stream-mutants", stream, 20)];
}

/** Returns the mutants of what carries whole histories. */
export async function level5Mutants(): Promise<Draft[]> {
  const bundle = await bundleOf(await issueStream(1, { perWindow: 1 }));
  const longer = await bundleOf(await issueStream(3, { perWindow: 2 }));
  const vaults = await vaultBundleOf(await issueVaultStream(1, { perWindow: 1 }));
  const pinned = [{ installation_id: VAULT.installationId, public_key_hex: VAULT.signer.publicKeyHex }];
  return [
    ...mutantDrafts("bundle-mutants", made("bundle", bundle), 24),
    ...mutantDrafts("vault-bundle-mutants", made("bundle", vaults, { vaults: pinned }), 14),
    ...mutantDrafts("cut-receipt-mutants", made("portable-receipt", portableReceiptOf(kernel, longer, 1)), 10),
    ...ofShare(LEVEL_5),
  ];
}

/** Returns the mutants of fork evidence and anchors. */
export function level6Mutants(): Draft[] {
  return ofShare(LEVEL_6);
}

function ofShare(share: Share): Draft[] {
  return Object.entries(share).flatMap(([family, [file, limit]]) => mutantDrafts(family, fixture(file), limit));
}

function fixture(file: string): Good {
  const read = JSON.parse(readFileSync(new URL(`../../fixtures/cases/${file}.json`, import.meta.url), "utf8"));
  const { kind, trust, links } = read;
  return { kind, trust, bytes: bytesOf(read), ...(links === undefined ? {} : { links }) };
}

function made(kind: JsonKind, object: unknown, more: object = {}): Good {
  const trust = { ...pinKeys(kernel, [SERVICE.publicKeyHex]), ...more } as Json;
  return { kind, trust, bytes: kernel.canonicalize(object as Json) };
}
