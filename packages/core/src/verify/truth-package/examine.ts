/**
 * The examination of a truth package (protocol section 15), from its bytes: the archive first, then the manifest, its
 * artifacts, every bundle by itself, and the table of events, which is made again. Paths of problems begin with the
 * entry in which they are. It does not look at the content of manifest.json, which is for people.
 */
import { type ArchiveEntry, type ArchiveFault, openArchive } from "../../archive/open.ts";
import { contentOf, roomForEntry, unpack } from "../../archive/unpack.ts";
import { encodeHex } from "../../encoding/hex.ts";
import type { Json } from "../../kernel/kernel.ts";
import { openKeys } from "../../objects/key-endorsement.ts";
import { receivedTimes } from "../../objects/receipt.ts";
import { AskedEvents } from "../../objects/truth-package/asked.ts";
import { provenanceOfAll, type Shown, shownByBoth } from "../../objects/truth-package/assurance.ts";
import { compareLines, type LineComparison } from "../../objects/truth-package/compare.ts";
import { eventTexts } from "../../objects/truth-package/events-csv.ts";
import { type Proof, proofOf } from "../../objects/truth-package/proof.ts";
import { examineExpectedRange, examineRanges } from "../../objects/truth-package/ranges.ts";
import {
  ARTIFACT_PATHS,
  type ArtifactPath,
  MANIFEST_PATH,
  manifestFaults,
  PackageManifest,
  type PackageRange,
} from "../../objects/truth-package/schema.ts";
import { Examination } from "../../report/examination.ts";
import type { Report } from "../../report/report.ts";
import { validatorOf } from "../../schema/check.ts";
import { pointerTo } from "../../schema/pointer.ts";
import { shapeProblems } from "../../schema/validate.ts";
import type { BundleExaminer } from "../examine-bytes.ts";
import type { VaultEvidence } from "../kinds.ts";
import type { Step, Steps } from "../read-in-steps.ts";
import { proofsIn } from "./proofs.ts";

/** The bundles have been read, which is nearly all of the work. */
const DONE: Step = [1, 1];

type Entries = ReadonlyMap<string, ArchiveEntry>;

/** Examines the bytes of a package. If something keeps it from being read, the checks behind that are not made. */
export function examineTruthPackage(exam: Examination, bytes: Uint8Array, bundles: BundleExaminer): void {
  for (const _ of packageSteps(exam, bytes, bundles));
}

/**
 * Does the same as examineTruthPackage, in steps, for a thread that does other things between them. A step ends in the
 * bundles after each part of about so many bytes and before the rest of each, and before and after the table of events.
 */
export function* packageSteps(
  exam: Examination,
  bytes: Uint8Array,
  bundles: BundleExaminer,
  partBytes?: number,
): Steps<void> {
  const opened = openArchive(bytes);
  if (!opened.ok) {
    for (const fault of opened.faults) rejectArchive(exam, fault);
    return;
  }
  exam.looked("archive", opened.entries.length);
  const entries: Entries = new Map(opened.entries.map((entry) => [entry.path, entry]));
  const manifest = readManifest(exam, entries);
  if (manifest === null || !areListed(exam, entries)) return;
  const [range, ...more] = manifest.ranges;
  exam.subject = { id: manifest.export_id, ...(range === undefined || more.length > 0 ? {} : rangeOf(range)) };
  const asked = new AskedEvents(manifest.ranges);
  examineManifest(exam, manifest);
  const proofs = yield* readProofs(exam, entries, manifest, bundles.vaults, partBytes);
  const reports: Report[] = [];
  for (const proof of proofs ?? []) {
    yield DONE;
    reports.push(examineProof(exam, proof, reports.length, bundles));
  }
  const shown = exam.held("json", "shape") ? proofs : null;
  if (shown === null) exam.notChecked("export", "the proofs cannot be read, so the events are not compared with them");
  else {
    const received = examineRanges(exam, manifest.ranges, asked, shown);
    if (range !== undefined && more.length === 0) exam.subject = { ...exam.subject, ...receivedTimes(received) };
  }
  yield DONE;
  const lines = shown === null ? null : compareLines(eventTexts(exam.kernel, asked, shown));
  examineEvents(exam, entries, manifest, lines);
  yield DONE;
  examineArtifact(exam, entries, manifest, "manifest.json");
  examineExpectedRange(exam, asked);
  summarize(exam, reports);
}

/** Returns the range as a subject's members; if there are several ranges, none is the package's own. */
function rangeOf({ stream_id, from_seq_no, to_seq_no }: PackageRange) {
  return { stream_id, from_seq_no, to_seq_no };
}

/** Returns a pointer to the place `path` in an entry. */
function pathIn(entry: string, path = ""): string {
  return `${pointerTo("", entry)}${path}`;
}

/** Returns the mapping of a path in a part to a path in the whole. */
function within(place: string): (path: string) => string {
  return (path) => (path.startsWith("trust:") ? path : `${place}${path}`);
}

function rejectArchive(exam: Examination, { code, path, message }: ArchiveFault): void {
  exam.reject("archive", { code, path: path === null ? "" : pathIn(path), message });
}

function rejectMissing(exam: Examination, path: string): void {
  const message = `The package has no ${path}.`;
  exam.reject("archive", { code: "archive_entry_missing", path: pathIn(path), message });
}

function readManifest(exam: Examination, entries: Entries): PackageManifest | null {
  const entry = entries.get(MANIFEST_PATH);
  if (entry === undefined) {
    rejectMissing(exam, MANIFEST_PATH);
    return null;
  }
  const content = contentOf(exam.kernel, entry);
  if (!content.ok) {
    rejectArchive(exam, content.fault);
    return null;
  }
  const value = readJson(exam, MANIFEST_PATH, content.bytes);
  if (!exam.held("json")) return null;
  exam.looked("shape");
  const ofForm = shapeProblems(validatorOf(PackageManifest), value);
  const faults = ofForm.length > 0 ? ofForm : manifestFaults(value as PackageManifest);
  // The manifest tells what a fault in it is about.
  const part = new Examination(exam.kernel, exam.trust);
  part.value = value;
  for (const fault of faults) part.reject("shape", { code: "malformed", ...fault });
  exam.adopt(part, within(pathIn(MANIFEST_PATH)));
  return faults.length > 0 ? null : (value as PackageManifest);
}

function readJson(exam: Examination, path: string, bytes: Uint8Array): Json {
  const parsed = exam.kernel.parseJson(bytes);
  if (parsed.ok) {
    exam.looked("json");
    return parsed.value;
  }
  const { code, offset } = parsed;
  exam.reject("json", { code, path: pathIn(path), message: `At byte ${offset} of ${path}.`, actual: `${offset}` });
  return null;
}

/** Says whether the archive holds the manifest's artifacts and nothing else. */
function areListed(exam: Examination, entries: Entries): boolean {
  const listed: readonly string[] = [MANIFEST_PATH, ...ARTIFACT_PATHS];
  for (const path of listed) if (!entries.has(path)) rejectMissing(exam, path);
  for (const path of entries.keys())
    exam.expect("archive", listed.includes(path), {
      code: "archive_entry_unlisted",
      path: pathIn(path),
      message: "The manifest does not list this entry.",
    });
  return exam.held("archive");
}

/** The package's own keys and seal are examined apart: a bundle brings its own keys. */
function examineManifest(exam: Examination, manifest: PackageManifest): void {
  const { key_hints, key_endorsements, seal, ...body } = manifest;
  const part = new Examination(exam.kernel, exam.trust);
  part.value = manifest;
  openKeys(part, key_hints, key_endorsements);
  part.seal("bundle_seal", "truth-package", body, seal, {
    path: "/seal",
    what: "the package's manifest",
    ownTime: manifest.created_at,
  });
  part.report();
  exam.adopt(part, within(pathIn(MANIFEST_PATH)));
}

/** Returns the values that should be bundles; null if proofs.json is no list. */
function* readProofs(
  exam: Examination,
  entries: Entries,
  manifest: PackageManifest,
  vaults: VaultEvidence | undefined,
  partBytes: number | undefined,
): Steps<readonly Proof[] | null> {
  const { bytes, take } = roomForEntry(entries.get("proofs.json") as ArchiveEntry);
  if (!examineArtifact(exam, entries, manifest, "proofs.json", take)) return null;
  const { length } = manifest.ranges;
  const apart = yield* proofsIn(exam, bytes, length, vaults, partBytes);
  if (apart !== null) {
    exam.looked("json");
    return apart;
  }
  const proofs = readJson(exam, "proofs.json", bytes);
  if (!exam.held("json")) return null;
  const path = pathIn("proofs.json");
  if (!Array.isArray(proofs)) {
    exam.reject("shape", { code: "malformed", path, message: "The proofs are a list of bundles." });
    return null;
  }
  // Each is examined by itself, which costs more than its bytes do.
  const isBounded = exam.expect("export", proofs.length <= length, {
    code: "export_mismatch",
    path,
    message: "There are more bundles than ranges, and each is there for one at least.",
    expected: `at most ${length}`,
    actual: `${proofs.length}`,
  });
  return isBounded ? proofs.map(proofOf) : null;
}

/**
 * Checks an artifact against the manifest's entry for it while it is unpacked, and passes its pieces to `take` too.
 * Returns whether it could be unpacked.
 */
function examineArtifact(
  exam: Examination,
  entries: Entries,
  { artifacts }: PackageManifest,
  path: ArtifactPath,
  take: (piece: Uint8Array) => void = () => undefined,
): boolean {
  // It was looked for.
  const entry = entries.get(path) as ArchiveEntry;
  const hasher = exam.kernel.hasher();
  const passOn = (piece: Uint8Array) => {
    hasher.update(piece);
    take(piece);
  };
  const fault = unpack(exam.kernel, entry, passOn);
  if (fault !== null) {
    rejectArchive(exam, fault);
    return false;
  }
  const listed = artifacts.find((artifact) => artifact.path === path);
  const [code, at] = ["artifact_hash_mismatch", pathIn(path)] as const;
  exam.expectEqual("manifest", code, `${listed?.sha256}`, encodeHex(hasher.digest()), {
    path: at,
    message: `${path} is not the one that the manifest names.`,
  });
  exam.expectEqual("manifest", code, `${listed?.size_bytes}`, `${entry.sizeBytes}`, {
    path: at,
    message: `${path} has another size than the manifest names.`,
    count: false,
  });
  return true;
}

/** Examines one of the proofs as the bundle that it should be. */
function examineProof(exam: Examination, { value, bulk }: Proof, index: number, bundles: BundleExaminer): Report {
  const part = new Examination(exam.kernel, exam.trust, exam.chain);
  part.kind = "bundle";
  bundles.examine(part, value, bulk);
  const report = part.report();
  exam.adopt(part, within(pathIn("proofs.json", `/${index}`)));
  exam.redacted += report.assurance.redacted;
  exam.histories.push(...part.histories);
  return report;
}

/** Checks that the table of events is the one that the bundles give; if they cannot be read, it is only hashed. */
function examineEvents(
  exam: Examination,
  entries: Entries,
  manifest: PackageManifest,
  lines: LineComparison | null,
): void {
  const isWhole = examineArtifact(exam, entries, manifest, "events.csv", (piece) => lines?.take(piece));
  if (lines === null || !isWhole) return;
  const line = lines.difference();
  exam.expect("export", line === null, {
    code: "export_mismatch",
    path: pathIn("events.csv"),
    message: `events.csv is not the table of the events that the proofs hold: line ${line} is the first that differs.`,
  });
}

/** A package shows only as much as the weakest of its bundles. */
function summarize(exam: Examination, reports: readonly Report[]): void {
  if (reports.length === 0) return;
  const shown = reports.map(({ assurance }): Shown => assurance).reduce(shownByBoth);
  const { included, witnessed, published, anchored } = shown;
  const [origin, ...others] = new Set(reports.map(({ subject }) => subject.origin));
  if (origin !== undefined && others.length === 0) exam.subject = { ...exam.subject, origin };
  Object.assign(exam, { included, complete: shown.complete && exam.held("export"), witnessed, published, anchored });
  exam.provenance = provenanceOfAll(reports.map(({ assurance }) => assurance));
  if (reports.some(({ checks }) => checks.some(({ id }) => id === "provenance"))) exam.checkList = "provenance-package";
  if (exam.redacted > 0) exam.notChecked("payload_hash", `${exam.redacted} redacted`);
}
