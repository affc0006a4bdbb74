/**
 * The statements of vaults in a file, as far as pictures show them: the leaves of a capsule, the envelopes of each
 * vault, and the lives of keys. It decodes WITHOUT verifying, and leaves out everything that does not have the expected
 * form.
 */
import type { Json, Report } from "@svc/core";
import { type Contents, partOf, type Section } from "./contents.ts";

/** A capsule whose leaves are drawn. */
export interface DrawnCapsule {
  /** The number of leaves. */
  readonly size: number;
  /** The opened ones by their places, from 0. */
  readonly opened: readonly { readonly index: number; readonly name: string; readonly value: string }[];
}

/** The life of a key as somebody states it; service times. */
export interface DrawnKey {
  readonly installationId: string;
  readonly status: string;
  readonly enrolledAt: string;
  readonly revokedAt: string | null;
  readonly statusAt: string;
}

/** The envelopes of one vault. */
export interface DrawnVault {
  readonly installationId: string;
  /** The numbers of the events, ascending, and the vault's own number of the first and the last envelope. */
  readonly events: readonly number[];
  readonly from: number;
  readonly to: number;
}

type Fields = Readonly<Record<string, Json>>;

const SIZES: readonly Json[] = [8, 64, 512];
const SERVICE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A larger part is not read for a picture. */
const MOST_BYTES = 2 ** 24;

/** Returns the capsule of a disclosure or an envelope whose content is there; otherwise null. */
export function capsuleIn({ kind }: Report, contents: Contents): DrawnCapsule | null {
  const [section] = contents.sections;
  if (section === undefined || (kind !== "disclosure" && kind !== "envelope")) return null;
  const content = kind === "envelope" ? read(section, "content") : fieldsOf(read(section, "envelope")).content;
  const size = fieldsOf(content).capsuleSize;
  if (!SIZES.includes(size ?? null)) return null;
  const fields = kind === "envelope" ? [] : listOf(read(section, "fields"));
  const opened = fields.flatMap(({ index, name, value }) =>
    Number.isInteger(index) &&
    (index as number) >= 0 &&
    (index as number) < (size as number) &&
    typeof name === "string"
      ? [{ index: index as number, name, value: JSON.stringify(value) ?? "" }]
      : [],
  );
  return { size: size as number, opened };
}

/** Returns the keys whose lives a file states: of a status, a disclosure, or the manifest of a bundle. */
export function keysIn({ kind }: Report, contents: Contents): DrawnKey[] {
  return contents.sections.flatMap((section) => {
    if (kind === "disclosure") return keyOf(fieldsOf(read(section, "keyStatus")));
    if (kind === "key-status")
      return keyOf(Object.fromEntries([...section.parts.keys()].map((name) => [name, read(section, name) ?? null])));
    return listOf(fieldsOf(read(section, "manifest")).vault_key_lifecycle).flatMap(keyOf);
  });
}

/** Returns the vaults whose envelopes are in a bundle, in order of first appearance. */
export function vaultsIn(section: Section): DrawnVault[] {
  const vaults = new Map<string, { events: number[]; numbers: number[] }>();
  for (const { seq_no, envelope } of listOf(fieldsOf(read(section, "provenance.json")).envelopes)) {
    const { installationId, vaultSeq } = fieldsOf(envelope);
    if (typeof seq_no !== "number" || typeof vaultSeq !== "number" || typeof installationId !== "string") continue;
    const vault = vaults.get(installationId) ?? { events: [], numbers: [] };
    vaults.set(installationId, vault);
    vault.events.push(seq_no);
    vault.numbers.push(vaultSeq);
  }
  return [...vaults].map(([installationId, { events, numbers }]) => ({
    installationId,
    events,
    from: numbers[0] ?? 0,
    to: numbers.at(-1) ?? 0,
  }));
}

function keyOf({ installationId, status, enrolledAt, revokedAt = null, statusAt }: Fields): DrawnKey[] {
  const texts = [installationId, status].every((text) => typeof text === "string");
  const times = [enrolledAt, statusAt, revokedAt ?? statusAt].every(
    (time) => typeof time === "string" && SERVICE_TIME.test(time) && !Number.isNaN(Date.parse(time)),
  );
  return texts && times ? [{ installationId, status, enrolledAt, revokedAt, statusAt } as unknown as DrawnKey] : [];
}

function read(section: Section, name: string): Json | undefined {
  const { start, end } = section.parts.get(name) ?? { start: 0, end: 0 };
  return end - start > MOST_BYTES ? undefined : partOf(section, name);
}

function fieldsOf(value: Json | undefined): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: Json | undefined): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
