/**
 * The good objects for tampering: the fixtures, and objects of a test service with members that no fixture has, so that
 * every member of every schema occurs. A key seals them all that another key endorses; only the latter is pinned.
 */
import { readdirSync, readFileSync } from "node:fs";
import { anchorOf, serviceLog } from "@svc/testkit/evidence/anchors";
import { at, bundleOf, type Evidence, frontierOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  disclosureOf,
  inclusionOf,
  issueVaultStream,
  startOf,
  VAULT,
  vaultBundleOf,
} from "@svc/testkit/evidence/vaults";
import {
  issueAnchorConsistency,
  issueConsistency,
  issueKeyEndorsement,
  issueStreamSegment,
  type Json,
  type JsonKind,
  keyHint,
  pinKeys,
  portableReceiptOf,
  referenceKernel,
  showFrontier,
  showInclusions,
  showLeaves,
  type Window,
  windowHash,
} from "../src/index.ts";

/** One good object and the input of its verification. */
export interface Good {
  readonly name: string;
  readonly input: string;
  readonly verdict: string;
  readonly trust: Json;
  readonly links?: readonly Json[];
}

/** From this size on the kernel checks the receipts of a bundle in place (../src/verify/read-in-bulk.ts). */
export const CHECKED_IN_BULK_BYTES = 65_536;

const FIXTURES = new URL("../../../fixtures/cases/", import.meta.url);

/** The kinds that have fixtures. */
export const KINDS = readdirSync(FIXTURES)
  .filter((kind) => kind !== "truth-package")
  .sort() as JsonKind[];

/**
 * Returns the good objects of a kind, the plain fixture first: verified, or untrusted because no seal is around them.
 */
export function goodsOf(kind: JsonKind): Good[] {
  const files = readdirSync(new URL(`${kind}/`, FIXTURES)).sort();
  const good = files.filter((file) => /^(good|bare)[-.]/.test(file));
  good.sort((a, b) => Number(b === "good.json") - Number(a === "good.json"));
  return [...good.map((name) => read(kind, name)), ...(ISSUED[kind] ?? [])];
}

function read(kind: JsonKind, name: string): Good {
  return { ...(JSON.parse(readFileSync(new URL(`${kind}/${name}`, FIXTURES), "utf8")) as Good), name };
}

const kernel = referenceKernel;
const SUCCESSOR = testSigner("successor");
const KEYS = {
  key_hints: [keyHint(kernel, SERVICE.publicKeyHex)],
  key_endorsements: [await issueKeyEndorsement(kernel, SERVICE, SUCCESSOR.publicKeyHex, at(0))],
};

function issued(name: string, object: unknown): Good {
  const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
  return { name, input: JSON.stringify(object), verdict: "verified", trust };
}

const evidence = await issueStream(14, { perWindow: 2, perCheckpoint: 2, signer: SUCCESSOR });
const shown: Evidence = {
  ...evidence,
  windows: evidence.windows.map((window) => {
    const hashes = hashesOf(window);
    const leaves = showLeaves(window, hashes);
    return window.window_no % 2 === 0 ? leaves : showInclusions(kernel, leaves, hashes, [window.to_seq_no]);
  }),
  checkpoints: evidence.checkpoints.map((checkpoint) => {
    const before = (checkpoint.window_roots[0]?.window_no ?? 1) - 1;
    return showFrontier(checkpoint, frontierOf(evidence.windows.slice(0, before)));
  }),
};

const bundle = { ...(await bundleOf(shown, 3, SUCCESSOR)), ...KEYS };
const portable = { ...portableReceiptOf(kernel, bundle, 6), ...KEYS };
const [, second, third] = shown.checkpoints;
const last = shown.windows.at(-1);
if (second === undefined || third === undefined || last === undefined || portable.last_window === undefined)
  throw new Error("the test service has issued too little");
const checkpoints = [second, third];
const anchors = [
  await anchorOf([second], { epochNo: 2, signer: SUCCESSOR }),
  await anchorOf(checkpoints, { signer: SUCCESSOR }),
] as const;

const start = await startOf();
const vaults = await issueVaultStream(6, {
  perWindow: 1,
  perCheckpoint: 2,
  stated: () => ({
    assurance: { level: "L2", attestationRef: null, startId: start.result?.startId ?? null },
    metadata: {
      mediaClass: "image",
      operation: "register",
      providerId: null,
      providerPolicyDigest: null,
      providerResult: { schema: "SVC-PROVIDER-RESULT-001", version: "0.2" },
      softBindingAlg: null,
    },
  }),
});
const PINNED_VAULT = { installation_id: VAULT.installationId, public_key_hex: VAULT.signer.publicKeyHex };
const laterVaults = await vaultBundleOf(vaults, { firstWindow: 4, attestations: [start], signer: SUCCESSOR });

const epoch = read("ivc-epoch", "good.json");

/** Objects with members that fixtures lack: keys, leaves, inclusions, frontiers and starts. */
const ISSUED: Partial<Readonly<Record<JsonKind, readonly Good[]>>> = {
  stream: [issued("with keys", issueStreamSegment(evidence.records.slice(0, 3), KEYS))],
  consistency: [
    issued("with keys and frontiers", {
      ...issueConsistency(
        kernel,
        second,
        third,
        evidence.windows.map((window) => windowHash(kernel, window)),
      ),
      ...KEYS,
    }),
    issued("of two mined anchors", { ...issueAnchorConsistency(kernel, ...anchors, serviceLog(checkpoints)), ...KEYS }),
  ],
  "portable-receipt": [
    issued("with keys and leaves", {
      ...portable,
      window: shownWindow(portable.window?.window_no),
      last_window: { ...portable.last_window, window: last },
    }),
  ],
  bundle: [
    issued("with leaves, inclusions and frontiers", bundle),
    issued("large enough to be checked in bulk", await bundleOf(await issueStream(80, { perWindow: 30 }))),
    issued("of vaults, later, with a start", { ...laterVaults, ...KEYS }),
  ],
  envelope: [
    {
      ...issued("of a start", vaults.envelopes[0]),
      trust: { ...pinKeys(kernel, [SERVICE.publicKeyHex]), vaults: [PINNED_VAULT] },
    },
  ],
  "provenance-inclusion": [issued("with keys and a frontier", { ...inclusionOf(laterVaults, 5), ...KEYS })],
  "ivc-epoch": [{ ...epoch, name: "with keys", input: JSON.stringify({ ...JSON.parse(epoch.input), ...KEYS }) }],
  disclosure: [issued("of a start", await disclosureOf(vaults, 5, { attestations: [start] }))],
};

function shownWindow(windowNo: number | undefined): Window | undefined {
  return shown.windows.find(({ window_no }) => window_no === windowNo);
}

function hashesOf({ from_seq_no, to_seq_no }: Window) {
  return evidence.records.slice(from_seq_no - 1, to_seq_no).map(({ event_hash }) => event_hash);
}
