/**
 * The chain of evidence in a file, as far as a picture shows it: events, the windows over them, the checkpoints over
 * the windows, who cosigned, where it is anchored, and which parts are broken. It decodes WITHOUT verifying; the report
 * alone says which parts are broken.
 */
import type { Json, Problem, Report, TrustPolicy } from "@svc/core";
import { type Contents, partOf, type Section } from "./contents.ts";
import { type DrawnVault, vaultsIn } from "./vault.ts";
import { isDistrust } from "./words.ts";

/** A stretch of numbers, both ends included. */
export interface Stretch {
  readonly no: number;
  readonly from: number;
  readonly to: number;
  /** The index of the first problem of the report inside the stretch, from 0; null without one. */
  readonly problem: number | null;
}

/** One stream's chain. */
export interface Chain {
  readonly streamId: string;
  /** The numbers that the chain covers; the file holds the first `count` events of them, up to `heldTo`. */
  readonly events: { readonly from: number; readonly to: number; readonly count: number; readonly heldTo: number };
  /** An event that is missing is a gap before the one that its problem is at. */
  readonly brokenEvents: readonly { readonly no: number; readonly problem: number; readonly isMissing: boolean }[];
  /** Numbers of events. */
  readonly windows: readonly Stretch[];
  /** Numbers of windows. */
  readonly checkpoints: readonly (Stretch & { readonly toEvent: number })[];
  /** Witnesses with a statement; `isBroken` if none of theirs holds. */
  readonly witnesses: readonly Readonly<{ name: string; isManaged: boolean; isPinned: boolean; isBroken: boolean }>[];
  readonly anchors: readonly string[];
  /** The vaults that sealed the events, and where their envelopes are broken. */
  readonly vaults: readonly (DrawnVault & { readonly broken: readonly { no: number; problem: number }[] })[];
}

/** How many problems are looked up. A picture only has to show where the evidence first goes wrong. */
const LOOKED_UP = 1000;

type Fields = Readonly<Record<string, Json>>;

/** Returns the chains in a file, one for each stream; empty if the file holds no numbered events or windows. */
export function chainsOf(report: Report, contents: Contents, trust: TrustPolicy | undefined): Chain[] {
  let first = 0;
  return contents.sections.flatMap((section) => {
    const count = section.records.length / 2;
    const chain = chainOf(report, contents, section, first, count, trust);
    first += count;
    return chain === null ? [] : [chain];
  });
}

function chainOf(
  report: Report,
  contents: Contents,
  section: Section,
  first: number,
  count: number,
  trust: TrustPolicy | undefined,
): Chain | null {
  const isBundle = section.parts.has("receipts.json");
  const prefix = isBundle ? `${section.recordsPath.replace(/receipts\.json\/$/, "")}` : "/";
  const list = (name: string, alone: readonly string[]): { fields: Fields; path: string }[] =>
    isBundle
      ? fieldsIn(partOf(section, name)).map((fields, index) => ({ fields, path: `${prefix}${name}/${index}` }))
      : alone.flatMap((part) =>
          fieldsIn([partOf(section, part) ?? null]).map((fields) => ({ fields, path: `/${part}` })),
        );
  const problems = report.problems.slice(0, LOOKED_UP);
  const byPlace = firstProblems(problems);
  const broken = (path: string) => byPlace.get(path) ?? null;
  const windows = list("windows.json", ["window"]).flatMap(({ fields, path }) => {
    const [no, from, to] = [fields.window_no, fields.from_seq_no, fields.to_seq_no].map(countOf);
    return no && from && to ? [{ no, from, to, problem: broken(path) }] : [];
  });
  const checkpoints = list("checkpoints.json", ["checkpoint", "from_checkpoint", "to_checkpoint"]).flatMap(
    ({ fields, path }) => {
      const [no, to, toEvent] = [fields.checkpoint_no, fields.window_count, fields.to_seq_no].map(countOf);
      const from = countOf(fieldsIn(fields.window_roots)[0]?.window_no) ?? to;
      return no && from && to && toEvent ? [{ no, from, to, toEvent, problem: broken(path) }] : [];
    },
  );
  const numbers = [first, first + count - 1].map((at) => (count > 0 ? contents.row(at).seqNo : null));
  const from = numbers[0] ?? windows[0]?.from ?? checkpoints[0]?.toEvent ?? 0;
  const to = Math.max(numbers[1] ?? 0, windows.at(-1)?.to ?? 0, checkpoints.at(-1)?.toEvent ?? 0);
  const heldTo = numbers[1] ?? from - 1;
  if (from < 1 || to < from || (count === 0 && checkpoints.length === 0)) return null;
  const missing = missingBefore(problems);
  const brokenEvents = problems.flatMap((one, problem) => {
    const at = isDistrust(one) ? null : contents.eventAt(one.path);
    const no = at !== null && at >= first && at < first + count ? contents.row(at).seqNo : null;
    if (no === null) return [];
    // The event behind a gap is intact: it only cannot chain to the one before.
    const gap = CHAINING.test(one.path) ? missing.get(one.path.replace(CHAINING, "")) : undefined;
    return [{ no: gap ?? no, problem, isMissing: gap !== undefined }];
  });
  const anchors = list("anchors.json", ["anchor"]).flatMap(({ fields }) => anchorOf(fields));
  const stated = isBundle ? "witnesses.json" : "witnesses";
  const isBroken = (index: number) => broken(`${prefix}${stated}/statements/${index}`) !== null;
  const witnesses = witnessesOf(partOf(section, stated), trust, isBroken);
  const [window] = fieldsIn(partOf(section, "windows.json"));
  const streamId = report.subject.stream_id ?? (typeof window?.stream_id === "string" ? window.stream_id : "");
  const envelopes = `${prefix}provenance.json/envelopes/`;
  const brokenAt = new Map(
    problems.flatMap((one, problem): [number, number][] => {
      const [, index] = one.path.startsWith(envelopes)
        ? (/^(\d{1,9})\//.exec(one.path.slice(envelopes.length)) ?? [])
        : [];
      return index === undefined || isDistrust(one) || from + Number(index) > to
        ? []
        : [[from + Number(index), problem]];
    }),
  );
  const vaults = (isBundle ? vaultsIn(section) : []).map((vault) => ({
    ...vault,
    broken: vault.events.flatMap((no) => (brokenAt.has(no) ? [{ no, problem: brokenAt.get(no) ?? 0 }] : [])),
  }));
  const events = { from, to, count, heldTo };
  return { streamId, events, brokenEvents, windows, checkpoints, witnesses, anchors, vaults };
}

/**
 * Returns the first problem at each place and below it, by JSON Pointer. A problem of trust breaks nothing and is left
 * out.
 */
function firstProblems(problems: readonly Problem[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [index, problem] of problems.entries()) {
    if (isDistrust(problem)) continue;
    for (let end = problem.path.length; end >= 0; end = end === 0 ? -1 : problem.path.lastIndexOf("/", end - 1)) {
      const place = problem.path.slice(0, end);
      if (!found.has(place)) found.set(place, index);
    }
  }
  return found;
}

/** The members by which an event follows the one before it. */
const CHAINING = /\/(?:seq_no|previous_event_hash)$/;

/** Returns the first number that is missing before each event behind a gap, by the event's path. */
function missingBefore(problems: readonly Problem[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { path, expected, actual } of problems) {
    const [due, no] = [expected, actual].map((text) => (/^[1-9][0-9]{0,14}$/.test(text ?? "") ? Number(text) : 0));
    if (path.endsWith("/seq_no") && due && no && due < no) found.set(path.replace(CHAINING, ""), due);
  }
  return found;
}

/** Returns the witnesses whose statements the file holds. */
function witnessesOf(
  part: Json | undefined,
  trust: TrustPolicy | undefined,
  isBroken: (index: number) => boolean,
): Chain["witnesses"][number][] {
  const [artifact] = fieldsIn([part ?? null]);
  const statements = fieldsIn(artifact?.statements);
  const ids = new Set(statements.map(({ witness_id }) => witness_id));
  const holding = new Set(statements.flatMap(({ witness_id }, index) => (isBroken(index) ? [] : [witness_id])));
  const keys = fieldsIn(artifact?.witness_policies).flatMap(({ witnessKeys }) => fieldsIn(witnessKeys));
  const found = new Map<string, Chain["witnesses"][number]>();
  for (const { witness_id, name, managed, public_key_hex } of keys) {
    if (!ids.has(witness_id ?? null) || typeof name !== "string") continue;
    const isPinned = trust?.witnesses?.some((pinned) => pinned.public_key_hex === public_key_hex) ?? false;
    found.set(name, { name, isManaged: managed === true, isPinned, isBroken: !holding.has(witness_id) });
  }
  return [...found.values()];
}

function anchorOf({ epoch_no, network, block_number }: Fields): string[] {
  if (typeof epoch_no !== "number") return [];
  if (typeof network !== "string") return [`epoch ${epoch_no}, not on a chain yet`];
  return [
    `epoch ${epoch_no}, ${network}, ${typeof block_number === "number" ? `block ${block_number}` : "not mined yet"}`,
  ];
}

/** Returns the objects in a list; empty if the value is no list. */
function fieldsIn(value: Json | undefined): Fields[] {
  return Array.isArray(value)
    ? value.filter((one) => typeof one === "object" && one !== null && !Array.isArray(one))
    : [];
}

function countOf(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}
