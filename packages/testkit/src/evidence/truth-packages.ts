/** Truth packages of the test service: good ones, and their entries to build others of. */
import {
  contentOf,
  encodeHex,
  type HashHex,
  issueTruthPackage,
  keyHint,
  MANIFEST_PATH,
  openArchive,
  type PackageInput,
  type PackageManifest,
  referenceKernel,
  sealPackageManifest,
} from "@svc/core";
import { buildZip, type Part } from "./build-zip.ts";
import { at, bundleOf, type Evidence, id, issueStream, SERVICE } from "./service.ts";

const kernel = referenceKernel;

/**
 * Resolves to the input of a package of two streams: ten events of the first, and events 2 to 4 of the second one's
 * ten.
 */
export async function packageInput(): Promise<PackageInput> {
  const [whole, part] = [await streamOf(1), await streamOf(2)];
  return {
    export_id: id("exp", 1),
    tenant_id: id("tnt", 1),
    created_at: at(2000),
    ranges: [rangeOf(whole, 1, 10), rangeOf(part, 2, 4)],
    bundles: [await bundleOf(whole), await bundleOf(redactedOutside(part, 2, 4))],
    about: { note: "what was exported, for people" },
    key_hints: [keyHint(kernel, SERVICE.publicKeyHex)],
    key_endorsements: [],
  };
}

/** Resolves to the input of the smallest package: one stream, one event. */
export async function smallInput(): Promise<PackageInput> {
  const evidence = await issueStream(1, { perWindow: 1, perCheckpoint: 1 });
  const input = await packageInput();
  return { ...input, ranges: [rangeOf(evidence, 1, 1)], bundles: [await bundleOf(evidence)] };
}

/** Resolves to the bytes of a package by the service. */
export function packageOf(input: PackageInput, signer = SERVICE): Promise<Uint8Array> {
  return issueTruthPackage(kernel, signer, input);
}

/** Returns the entries of a good archive, for building it again. */
export function partsOf(bytes: Uint8Array): Part[] {
  const opened = openArchive(bytes);
  if (!opened.ok) throw new Error(opened.faults[0]?.message);
  return opened.entries.map((entry) => {
    const content = contentOf(kernel, entry);
    if (!content.ok) throw new Error(content.fault.message);
    return { name: entry.path, content: content.bytes };
  });
}

function streamOf(streamNo: number): Promise<Evidence> {
  return issueStream(10, { perWindow: 3, perCheckpoint: 2, streamNo });
}

function rangeOf({ records: [first] }: Evidence, from_seq_no: number, to_seq_no: number) {
  return { stream_id: first?.stream_id ?? "", from_seq_no, to_seq_no };
}

/** Returns the evidence with the payloads of a range only. */
function redactedOutside(evidence: Evidence, from: number, to: number): Evidence {
  const records = evidence.records.map((record) => {
    const { payload: _payload, payload_salt: _salt, ...redacted } = record;
    return record.seq_no >= from && record.seq_no <= to ? record : redacted;
  });
  return { ...evidence, records };
}

/** Resolves to a package with one changed artifact, which the service sealed. */
export async function resealed(
  input: PackageInput,
  path: string,
  change: (content: Uint8Array) => Uint8Array,
): Promise<Uint8Array> {
  const parts = partsOf(await packageOf(input)).map((part) =>
    part.name === path ? { ...part, content: change(part.content) } : part,
  );
  const manifestPart = parts.find(({ name }) => name === MANIFEST_PATH);
  const {
    format: _format,
    seal: _seal,
    ...manifest
  } = JSON.parse(new TextDecoder().decode(manifestPart?.content)) as PackageManifest;
  const artifacts = manifest.artifacts.map((artifact) => {
    const { content } = parts.find(({ name }) => name === artifact.path) ?? {};
    if (content === undefined) throw new Error(`${artifact.path} is missing`);
    return { ...artifact, sha256: encodeHex(kernel.sha256(content)) as HashHex, size_bytes: content.length };
  });
  const sealed = await sealPackageManifest(kernel, SERVICE, { ...manifest, artifacts });
  const content = kernel.canonicalize(sealed);
  return buildZip(parts.map((part) => (part === manifestPart ? { ...part, content } : part)));
}
