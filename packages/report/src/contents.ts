/**
 * The contents of a file, for people to look at: its events, one at a time, and the parts that a picture of the chain
 * shows. It decodes WITHOUT verifying, and decides no verdict; it leaves out everything that does not have the expected
 * form.
 */
import { contentOf, type Json, type Kernel, type Kind, openArchive, type Report } from "@svc/core";
import { elementSpans, memberSpans, type TextSpan, textAt } from "./json-spans.ts";

/** An event as the file has it. Texts are not escaped; a text is empty if it is missing or has another form. */
export interface EventRow {
  /** Its index among the events of the file, from 0. */
  readonly index: number;
  readonly seqNo: number | null;
  readonly id: string;
  readonly eventType: string;
  readonly sourceRef: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly hasPayload: boolean;
}

/** One bundle's, run's or receipt's share of a file. */
export interface Section {
  readonly bytes: Uint8Array;
  /** The start and end of each record. */
  readonly records: Float64Array;
  /** By event id, in kinds that keep payloads apart from records. */
  readonly payloads: ReadonlyMap<string, TextSpan>;
  /** The JSON Pointers of the records, without the final number, and of the payloads, without the final id. */
  readonly recordsPath: string;
  readonly payloadsPath: string;
  /** Parts by their name in a bundle, such as `windows.json`; in other kinds, whole members. */
  readonly parts: ReadonlyMap<string, TextSpan>;
}

const NONE = new Map<string, TextSpan>();
/** The folder of a package that holds the bundles. */
const PROOFS = "proofs.json";

/** The contents of an accepted file. */
export class Contents {
  readonly sections: readonly Section[];
  readonly #starts: number[] = [];
  /** Indexes by event id, for the sections that were asked for. */
  readonly #places = new Map<Section, Map<string, number>>();
  /** The number of events. */
  readonly count: number;

  constructor(sections: readonly Section[]) {
    this.sections = sections;
    let count = 0;
    for (const { records } of this.sections) {
      this.#starts.push(count);
      count += records.length / 2;
    }
    this.count = count;
  }

  /** Returns the event at an index. */
  row(index: number): EventRow {
    const { section, at } = this.#locate(index);
    const record = objectIn(section, at);
    const text = (name: string) => (typeof record[name] === "string" ? (record[name] as string) : "");
    const id = text("stream_event_id");
    return {
      index,
      seqNo: typeof record.seq_no === "number" ? record.seq_no : null,
      id,
      eventType: text("event_type"),
      sourceRef: text("source_ref"),
      occurredAt: text("occurred_at"),
      receivedAt: text("received_at"),
      hasPayload: Object.hasOwn(record, "payload") || section.payloads.has(id),
    };
  }

  /** Returns J(payload) of the event at an index; null if the file does not hold it. */
  payload(kernel: Kernel, index: number): string | null {
    const { section, at } = this.#locate(index);
    const record = spanAt(section, at);
    const own = memberSpans(section.bytes, record).get("payload");
    const apart = section.payloads.get(this.row(index).id);
    const span = own ?? (apart === undefined ? undefined : memberSpans(section.bytes, apart).get("payload"));
    const parsed = span === undefined ? null : kernel.parseJson(section.bytes.slice(span.start, span.end));
    return parsed?.ok ? new TextDecoder().decode(kernel.canonicalize(parsed.value)) : null;
  }

  /** Returns the index of the event that a JSON Pointer leads into; null if it leads elsewhere. */
  eventAt(pointer: string): number | null {
    for (const [number, section] of this.sections.entries()) {
      const { recordsPath, payloadsPath, records } = section;
      const first = this.#starts[number] ?? 0;
      if (recordsPath !== "" && pointer.startsWith(recordsPath)) {
        const [, digits] = /^(\d{1,15})(?:\/|$)/.exec(pointer.slice(recordsPath.length)) ?? [];
        if (digits !== undefined && Number(digits) < records.length / 2) return first + Number(digits);
      }
      if (payloadsPath !== "" && pointer.startsWith(payloadsPath)) {
        const id = pointer.slice(payloadsPath.length).split("/")[0] ?? "";
        const place = this.#placesOf(section, first).get(id);
        if (place !== undefined) return place;
      }
    }
    return null;
  }

  #placesOf(section: Section, first: number): ReadonlyMap<string, number> {
    let places = this.#places.get(section);
    if (places === undefined) {
      const count = section.records.length / 2;
      places = new Map(Array.from({ length: count }, (_, at) => [this.row(first + at).id, first + at]));
      this.#places.set(section, places);
    }
    return places;
  }

  #locate(index: number): { section: Section; at: number } {
    const number = this.#starts.findLastIndex((start) => start <= index);
    const section = this.sections[number];
    if (section === undefined || index >= this.count) throw new RangeError(`no event ${index} of ${this.count}`);
    return { section, at: index - (this.#starts[number] ?? 0) };
  }
}

/**
 * Returns the contents of a file that was verified; null if it was no JSON or is too large for this runtime. A file
 * that does not have the form of its kind may have no events.
 */
export function contentsOf(kernel: Kernel, { kind, checks }: Report, bytes: Uint8Array): Contents | null {
  if (checks.some(({ id, status }) => (id === "json" || id === "archive") && status !== "pass")) return null;
  try {
    return new Contents(kind === "truth-package" ? sectionsOfPackage(kernel, bytes) : sectionsOfText(bytes, kind));
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Returns a part of a section as a value; undefined if the section has no such part. */
export function partOf({ bytes, parts }: Section, name: string): Json | undefined {
  const span = parts.get(name);
  return span === undefined ? undefined : (JSON.parse(textAt(bytes, span)) as Json);
}

function spanAt({ records }: Section, at: number): TextSpan {
  return { start: records[2 * at] ?? 0, end: records[2 * at + 1] ?? 0 };
}

function objectIn(section: Section, at: number): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(textAt(section.bytes, spanAt(section, at)));
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns the sections of a text of this kind; none of a kind without events. */
export function sectionsOfText(bytes: Uint8Array, kind: Kind | null): Section[] {
  const whole = { start: 0, end: bytes.length };
  const parts = memberSpans(bytes, whole);
  const none = { bytes, records: new Float64Array(), payloads: NONE, recordsPath: "", payloadsPath: "", parts };
  const one = (span: TextSpan | undefined) => Float64Array.from(span === undefined ? [] : [span.start, span.end]);
  switch (kind) {
    case "bundle":
      return [sectionOfBundle(bytes, whole, "")];
    case "stream":
      return [{ ...none, records: elementSpans(bytes, parts.get("records") ?? whole), recordsPath: "/records/" }];
    case "receipt":
      return [{ ...none, records: one(whole) }];
    case "portable-receipt":
      return [{ ...none, records: one(parts.get("receipt")) }];
    default:
      return [none];
  }
}

function sectionOfBundle(bytes: Uint8Array, span: TextSpan, path: string): Section {
  const members = memberSpans(bytes, span);
  const [artifacts, payloads] = [members.get("artifacts"), members.get("payloads")];
  const parts = new Map(artifacts === undefined ? NONE : memberSpans(bytes, artifacts));
  const manifest = members.get("manifest");
  // No artifact has this name.
  if (manifest !== undefined) parts.set("manifest", manifest);
  const receipts = parts.get("receipts.json");
  return {
    bytes,
    records: receipts === undefined ? new Float64Array() : elementSpans(bytes, receipts),
    payloads: payloads === undefined ? NONE : memberSpans(bytes, payloads),
    recordsPath: `${path}/artifacts/receipts.json/`,
    payloadsPath: `${path}/payloads/`,
    parts,
  };
}

function sectionsOfPackage(kernel: Kernel, bytes: Uint8Array): Section[] {
  const opened = openArchive(bytes);
  const entry = opened.ok ? opened.entries.find(({ path }) => path === PROOFS) : undefined;
  const content = entry === undefined ? null : contentOf(kernel, entry);
  if (!content?.ok) return [];
  const proofs = content.bytes;
  const spans = elementSpans(proofs, { start: 0, end: proofs.length });
  return Array.from({ length: spans.length / 2 }, (_, number) =>
    sectionOfBundle(proofs, { start: spans[2 * number] ?? 0, end: spans[2 * number + 1] ?? 0 }, `/${PROOFS}/${number}`),
  );
}
