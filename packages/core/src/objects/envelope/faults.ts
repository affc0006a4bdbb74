/**
 * The faults of an envelope that its schema cannot express (protocol section 20): the level and what it names, the
 * start seal that stands exactly at L2, and the policy that stands exactly with a provider.
 */
import type { ShapeFault } from "../../report/shape.ts";
import type { Content, Envelope, SealedEnvelope } from "./schema.ts";

/** Returns the faults of an envelope at a path. */
export function envelopeFaults({ content, ...envelope }: Envelope, path: string): ShapeFault[] {
  return [
    ...(content === undefined ? [] : contentFaults(content, `${path}/content`)),
    ...(content === undefined ? [] : startSealFaults(envelope, content, path)),
  ];
}

/** Returns the faults of a content by itself. */
export function contentFaults({ assurance, metadata }: Content, path: string): ShapeFault[] {
  const faults: ShapeFault[] = [];
  const { level, attestationRef, startId } = assurance;
  if ((level === "L1") !== (attestationRef !== null) || (level === "L2") !== (startId !== null)) {
    const message = "L0 names nothing, L1 an attestation, L2 a start.";
    faults.push({ path: `${path}/assurance`, message });
  }
  if ((metadata.providerId === null) !== (metadata.providerPolicyDigest === null)) {
    const message = "A provider and the policy that allows it come together or not at all.";
    const code = "provenance_metadata_not_permitted";
    faults.push({ code, path: `${path}/metadata/providerPolicyDigest`, message });
  }
  return faults;
}

/** The key of a start signs exactly the envelopes that claim L2. Without content, nothing says which those are. */
export function startSealFaults(envelope: SealedEnvelope, { assurance }: Content, path: string): ShapeFault[] {
  if ((assurance.level === "L2") === (envelope.startSeal !== undefined)) return [];
  return assurance.level === "L2"
    ? [{ code: "missing_member", path: `${path}/startSeal`, message: "An envelope of level L2 has a start seal." }]
    : [{ code: "unknown_member", path: `${path}/startSeal`, message: "Only level L2 has a start seal." }];
}
