/**
 * `svc verify truth-package`: verifies an export of events with all of its evidence (protocol section 15). Its
 * `--report` is the body by which a service learns that its package was verified.
 */
import { ARTIFACT_PATHS, encodeHex, type Kernel, type Report, VERSION } from "@svc/core";
import { possessionHasher } from "@svc/core/possession";
import { manifestBytesOf } from "@svc/report";
import { type Command, InvalidArgumentError, Option } from "commander";
import { named } from "../evidence-file/open.ts";
import { once } from "../evidence-file/options.ts";
import { EXIT, Refusal } from "../exit.ts";
import { type Preparation, verifyFileCommand } from "./file.ts";

interface Flags {
  readonly file?: string;
  readonly sha256?: string;
  readonly accessId?: string;
  readonly challenge?: string;
}

/** The body of a report to the service. */
export type PackageReport = {
  readonly verifierKind: "svc-cli";
  readonly verifierVersion: string;
  /** The access that gave the package; null without one. */
  readonly accessId: string | null;
  /** The answer to the challenge of the package's ticket, over all bytes of the file; null without a challenge. */
  readonly proof: string | null;
  readonly verificationReport: {
    readonly ok: boolean;
    readonly packageSha256: string;
    /** Null if the package has no manifest that can be read. */
    readonly manifestSha256: string | null;
    /** The number of listed artifacts that are those of the manifest. */
    readonly verifiedArtifacts: number;
    readonly problems: Report["problems"];
  };
};

/** Returns the subcommand `truth-package` of `svc verify`. */
export function verifyPackageSubcommand(): Command {
  return verifyFileCommand(
    "truth-package",
    "truth-package",
    "Verify a truth package on this machine alone; no connection is opened.",
    "svc verify truth-package march.truth.zip --trust acme.trust.json",
    AS_PACKAGE,
  );
}

const AS_PACKAGE: Preparation<Flags> = {
  addOptions: (command) =>
    command
      .addOption(new Option("--sha256 <hex>", "the SHA-256 that the file has to have").argParser(parseSha256))
      .addOption(
        new Option("--access-id <id>", "the access by which you got it, for --report").argParser(parseAccessId),
      )
      .addOption(
        new Option("--challenge <hex>", "the challenge that came with it, for --report").argParser(parseChallenge),
      )
      .addHelpText("after", "\n--report writes the body that reports the result to its service."),
  paths: () => ({}),
  words: ({ sha256, accessId, challenge }) => [
    ...(sha256 === undefined ? [] : [`--sha256 ${sha256}`]),
    ...(accessId === undefined ? [] : [`--access-id ${accessId}`]),
    ...(challenge === undefined ? [] : [`--challenge ${challenge}`]),
  ],
  prepare: async (kernels, bytes, { file = "-", sha256 }) => {
    if (sha256 === undefined) return bytes;
    const actual = encodeHex((kernels[1] ?? kernels[0]).sha256(bytes));
    if (sha256 === actual) return bytes;
    throw new Refusal(
      EXIT.rejected,
      `${named(file)} is another file than the one that you mean: its SHA-256 is ${actual}.`,
      "Ask for the package again where you got its SHA-256, and keep this one as evidence.",
    );
  },
  reportOf: packageReport,
};

function packageReport(report: Report, kernel: Kernel, bytes: Uint8Array, flags: Flags): PackageReport {
  const { accessId = null, challenge } = flags;
  const manifest = manifestBytesOf(kernel, bytes);
  return {
    verifierKind: "svc-cli",
    verifierVersion: VERSION,
    accessId,
    proof: challenge === undefined ? null : proofOf(kernel, challenge, bytes),
    verificationReport: {
      ok: report.ok,
      packageSha256: encodeHex(kernel.sha256(bytes)),
      manifestSha256: manifest === null ? null : encodeHex(kernel.sha256(manifest)),
      verifiedArtifacts: verifiedArtifacts(report),
      problems: report.problems,
    },
  };
}

function proofOf(kernel: Kernel, challenge: string, bytes: Uint8Array): string {
  const hasher = possessionHasher(kernel, challenge);
  hasher.update(bytes);
  return encodeHex(hasher.digest());
}

/** A fault of an artifact itself has the artifact for its path. */
function verifiedArtifacts({ checks, problems }: Report): number {
  const wasReached = checks.some(({ id, count = 0 }) => id === "manifest" && count > 0);
  const isDamaged = (path: string) =>
    problems.some((one) => one.path === `/${path}` && /^a(rtifact|rchive)_/.test(one.code));
  return wasReached ? ARTIFACT_PATHS.filter((path) => !isDamaged(path)).length : 0;
}

function parseSha256(text: string, previous: string | undefined): string {
  return parse32Bytes("A SHA-256", text, previous);
}

function parseChallenge(text: string, previous: string | undefined): string {
  return parse32Bytes("A challenge", text, previous);
}

function parse32Bytes(what: string, text: string, previous: string | undefined): string {
  if (/^[0-9a-f]{64}$/.test(text)) return once(text, previous);
  throw new InvalidArgumentError(
    /^[0-9a-fA-F]{64}$/.test(text) ? "Write it in lowercase." : `${what} is 64 lowercase hex characters.`,
  );
}

function parseAccessId(text: string, previous: string | undefined): string {
  if (/^tpa_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/.test(text)) return once(text, previous);
  throw new InvalidArgumentError("An access is named by tpa_ and 26 characters.");
}
