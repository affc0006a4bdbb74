/**
 * The computing part of the page: reads files, verifies them with core, and makes everything that the page shows. It
 * runs in a worker, or on the page's own thread without workers. It knows no document and opens no connection.
 */
import {
  type Compared,
  type CooperativeOptions,
  comparedOf,
  contradictions,
  decode,
  encodeHex,
  type Json,
  type Kernel,
  type Report,
  verifyCooperatively,
} from "@svc/core";
import {
  type Contents,
  cellsOf,
  contentsOf,
  decodeEvidence,
  escapeJson,
  escapeText,
  eventFacts,
  foreignFormat,
  forkSentence,
  isFromLink,
  lookOf,
  payloadText,
  reportHtml,
  type Shown,
  sealedBy,
  sectionsOf,
  shorten,
  toneOf,
} from "@svc/report";
import { loadKernel } from "../kernel.ts";
import { EventSearch } from "./event-search.ts";
import type {
  Checked,
  EngineCalls,
  EventFilter,
  FoundFork,
  Opened,
  Outcome,
  Row,
  ShownEvent,
  SuppliedFile,
  SuppliedKeys,
} from "./messages.ts";
import { type EngineThread, type Prepared, prepareFiles } from "./prepare.ts";
import { headProof } from "./prove.ts";
import { readBytes, whyUnread } from "./read-bytes.ts";

/** A longer payload is cut on the page; the file has it whole. */
const SHOWN_PAYLOAD_CHARACTERS = 50_000;
/** How many bytes are hashed in a row: the kernel takes some milliseconds for them. */
const HASHED_BYTES = 2 ** 20;
/** How many types of events a list offers. */
const MOST_TYPES = 50;

interface Current {
  readonly index: number;
  readonly shown: Shown;
  readonly search: EventSearch | null;
}

/** An engine for one page. */
export class Engine implements EngineCalls {
  readonly #thread: EngineThread;
  #prepared: Prepared | null = null;
  #forks: readonly FoundFork[] = [];
  #current: Current | null = null;

  constructor(thread: EngineThread) {
    this.#thread = thread;
  }

  async start(): Promise<{ kernel: string | null; why: string | null }> {
    const { kernel, why } = await loadKernel();
    return { kernel: kernel.sha256Hex, why };
  }

  async check(files: readonly SuppliedFile[], keys: SuppliedKeys, salt: string | null): Promise<Checked> {
    this.#current = null;
    const { kernel } = await loadKernel();
    const prepared = await prepareFiles(kernel, files, keys, salt, this.#thread);
    this.#prepared = prepared;
    const outcomes: Outcome[] = [];
    const compared: Compared[] = [];
    const unsigned = new Set<number>();
    const forks: Told[] = [];
    for (const [index, file] of prepared.files.entries()) {
      const { name } = file;
      if (file.role !== "evidence") {
        outcomes.push(file.outcome);
        continue;
      }
      try {
        const { shown } = await this.#verify(index);
        const { report } = shown;
        const format =
          report.verdict === "rejected" ? foreignFormat(report, decodeEvidence(kernel, shown.bytes)) : null;
        if (format !== null) {
          outcomes.push({ name, bytes: file.blob.size, role: "other", format });
          this.#current = null;
          continue;
        }
        const [problem] = report.problems;
        compared[index] = comparedUnder(shown);
        if (!report.assurance.signed) unsigned.add(index);
        if (toneOf(shown) === "good" && report.kind === "fork")
          forks.push({ stream_id: report.subject.stream_id ?? null, files: [index], reached: true });
        outcomes.push({
          name,
          bytes: file.blob.size,
          role: "evidence",
          verdict: report.verdict,
          tone: toneOf(shown),
          kind: report.kind,
          signers: signersOf(shown),
          problem: problem?.code ?? null,
        });
      } catch (error) {
        if (!(error instanceof DOMException) && !(error instanceof RangeError)) throw error;
        outcomes.push({ name, bytes: file.blob.size, role: "unreadable", reason: whyUnread(error) });
      }
    }
    const names = outcomes.map(({ name }) => shorten(escapeText(name)));
    const nameOf = (index: number) => names[index] ?? "";
    this.#forks = [...forksAmong(compared, outcomes.length), ...forks].map((fork) => {
      const { stream_id, files, place, reached } = fork;
      const [two, more] = [files.slice(0, 2), files.slice(2).map(nameOf)];
      const unchecked = two.filter((index) => unsigned.has(index)).map(nameOf);
      const words = forkSentence({ ...fork, names: two.map(nameOf), more, unchecked });
      return {
        stream_id,
        files,
        words,
        reached,
        isChecked: reached || unchecked.length === 0,
        ...(place && { place }),
      };
    });
    return { outcomes, forks: this.#forks };
  }

  async proof(left: number, right: number, seqNo: number): Promise<string | null> {
    const { kernel } = await loadKernel();
    const [a, b] = [await this.#side(left), await this.#side(right)];
    const bytes = a === null || b === null ? null : headProof(kernel, [a, b], seqNo);
    return bytes === null ? null : `${new TextDecoder().decode(bytes)}\n`;
  }

  async #side(index: number): Promise<Json | null> {
    const file = this.#prepared?.files[index];
    if (file?.role !== "evidence") return null;
    const { kernel } = await loadKernel();
    const decoded = decode(kernel, file.bytes ?? (await readBytes(file.blob)));
    return decoded.ok ? decoded.value : null;
  }

  async open(index: number): Promise<Opened> {
    const current = this.#current?.index === index ? this.#current : await this.#verify(index);
    const { search } = current;
    // A fork among files is bad news for each of them, where trust reaches it.
    const fork = this.#forks.find(({ files, place, reached }) => reached && place && files.includes(index))?.words;
    const shown = fork === undefined ? current.shown : { ...current.shown, fork };
    this.#current = { index, shown, search };
    await this.#thread.pause();
    return {
      look: lookOf(shown),
      hasProblems: shown.report.problems.length > 0,
      sections: sectionsOf(shown),
      events: search?.count ?? 0,
      eventTypes: search?.types(MOST_TYPES) ?? [],
    };
  }

  async filter(filter: EventFilter): Promise<number> {
    return this.#search().apply(filter);
  }

  async rows(from: number, count: number): Promise<Row[]> {
    const search = this.#search();
    const contents = search.contents;
    return search.places(from, count).map((index) => ({
      index,
      cells: cellsOf(contents, index),
      isBroken: search.isBroken(index),
      hasPayload: contents.row(index).hasPayload,
    }));
  }

  async event(index: number): Promise<ShownEvent> {
    const { kernel } = await loadKernel();
    const { contents } = this.#search();
    const facts = eventFacts(contents.row(index));
    return { facts, payload: payloadText(kernel, contents, index, SHOWN_PAYLOAD_CHARACTERS) };
  }

  async saved(form: "json" | "html", payloads: boolean): Promise<string> {
    const { kernel } = await loadKernel();
    const { shown } = this.#opened();
    return form === "json" ? `${escapeJson(JSON.stringify(shown.report))}\n` : reportHtml(kernel, shown, { payloads });
  }

  async #verify(index: number): Promise<Current> {
    const file = this.#prepared?.files[index];
    if (this.#prepared === null || file === undefined || file.role !== "evidence")
      throw new RangeError(`no evidence ${index}`);
    const { trust, names, links, linkKids } = this.#prepared;
    const { kernel } = await loadKernel();
    const { name } = file;
    this.#current = null;
    this.#thread.progress({ phase: "reading", file: name, done: 0, of: 1 });
    const bytes = file.bytes ?? (await readBytes(file.blob));
    const startedAt = performance.now();
    const report = await verifyCooperatively(
      bytes,
      { kernel, links, ...(trust === undefined ? {} : { trust }) },
      this.#cooperation(kernel, name),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const { pause } = this.#thread;
    await pause();
    const contents = contentsOf(kernel, report, bytes);
    // The hash is the file's own, also if a payload was put into the receipt.
    const own = file.bytes === undefined ? bytes : await readBytes(file.blob);
    const sha256Hex = encodeHex(await this.#hash(kernel, own));
    const shown = {
      report,
      bytes,
      contents,
      trust,
      names,
      linkKids,
      file: { name, bytes: file.blob.size, sha256Hex },
      checked: { at: new Date().toISOString(), seconds },
    };
    this.#current = { index, shown, search: searchOf(contents, report) };
    return this.#current;
  }

  /** Resolves to the SHA-256, with pauses. */
  async #hash(kernel: Kernel, bytes: Uint8Array): Promise<Uint8Array> {
    const hasher = kernel.hasher();
    for (let at = 0; at < bytes.length; at += HASHED_BYTES) {
      await this.#thread.pause();
      hasher.update(bytes.subarray(at, at + HASHED_BYTES));
    }
    return hasher.digest();
  }

  #cooperation(kernel: Kernel, file: string): CooperativeOptions {
    const { progress, pause, partBytes } = this.#thread;
    return {
      pause: (done, of) => {
        progress({ phase: "checking", file, done, of });
        return pause();
      },
      ...(partBytes === undefined ? {} : { partBytes: partBytes[kernel.name] }),
    };
  }

  #opened(): Current {
    if (this.#current === null) throw new TypeError("no file is open");
    return this.#current;
  }

  #search(): EventSearch {
    const { search } = this.#opened();
    if (search === null) throw new TypeError("the file has no events");
    return search;
  }
}

/** Returns the part by which a file is compared. No trust of the reader reaches a key that the link alone may name. */
function comparedUnder({ report, ...reader }: Shown): Compared {
  const compared = comparedOf(report);
  return isFromLink(report, reader) ? { ...compared, reached: false } : compared;
}

/** A fork without the words about it. */
type Told = Omit<FoundFork, "files" | "words" | "isChecked"> & { readonly files: number[] };

/** Returns what files show together: for each that others contradict, the first of those and the rest. */
function forksAmong(compared: readonly Compared[], count: number): Told[] {
  const all = Array.from(
    { length: count },
    (_, index) => compared[index] ?? { histories: [], kids: [], reached: false },
  );
  const forks = new Map<string, Told>();
  for (const { stream_id, left, right, place, reached } of contradictions(all)) {
    const key = `${reached} ${stream_id} ${left}`;
    const same = forks.get(key);
    if (same === undefined) forks.set(key, { stream_id, files: [left, right], place, reached });
    else same.files.push(right);
  }
  return [...forks.values()];
}

function searchOf(contents: Contents | null, report: Report): EventSearch | null {
  return contents === null || contents.count === 0 ? null : new EventSearch(contents, report);
}

/** Returns who sealed a file, in words. One that is not trusted may name a key that never signed it. */
function signersOf(shown: Shown): string {
  const { verdict, signers } = shown.report;
  if (verdict === "verified") return sealedBy(shown.report, shown) ?? "";
  return verdict === "rejected" || !signers[0] ? "" : `in the name of ${signers[0].kid}`;
}
