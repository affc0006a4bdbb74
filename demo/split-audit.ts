/** The audit of a split view, with nothing but the files that are left and the keys that the auditor pinned. */
import assert from "node:assert/strict";
import { svc, svcReport } from "./auditor.ts";
import { step } from "./progress.ts";

/** The bundle of one history, and the one that the same service gives when it has the evidence. */
export interface HistoryFiles {
  readonly bundle: string;
  readonly withFork: string;
}

/** The files that are left of a split view. */
export interface SplitFiles {
  readonly fork: string;
  /** The auditor's demand of witnesses, a tlog-policy with the keys that the witnesses' owners told. */
  readonly quorum: string;
  /** The history that the witnesses cosigned, and the one that they refused. */
  readonly first: HistoryFiles;
  readonly second: HistoryFiles;
}

/**
 * Checks the files under a pinned key, and resolves to what `svc` says of the evidence. `bundle`: made before the
 * histories parted.
 */
export async function auditSplit(files: SplitFiles, bundle: string, publicKeyHex: string): Promise<string> {
  const { fork, quorum, first, second } = files;
  const pinned = ["--public-key-hex", publicKeyHex];
  const witnessed = [...pinned, "--quorum", quorum];
  await verified("svc, bundle, witnesses pinned", bundle, witnessed);
  await verified("svc, first history, same pins", first.bundle, witnessed);
  await rejected("svc, second history, same pins", second.bundle, witnessed, "witness_quorum_unmet");

  const convicted = await svc(["forks", "verify", "--file", fork, ...pinned]);
  assert.equal(convicted.exitCode, 0, `the fork evidence must be verified, and is not:\n${convicted.output}`);
  step("svc, fork evidence, key pinned", "VERIFIED, exit 0: one key has signed two histories");
  const unpinned = await svcReport(["forks", "verify", "--file", fork]);
  assert.equal(unpinned.exitCode, 2, "without a pinned key the evidence must convict nobody");
  step("svc, fork evidence, no key pinned", "UNTRUSTED, exit 2: the file cannot say whose key it is");
  await rejected("svc, first history with evidence", first.withFork, pinned, "fork_detected");
  await rejected("svc, second history with evidence", second.withFork, pinned, "fork_detected");
  return convicted.output;
}

/**
 * Returns the arguments of `svc` that check the files again. `key`: the words that pin the key. `at`: returns a path as
 * it is shown.
 */
export function auditAgain(files: SplitFiles, bundle: string, key: string, at: (file: string) => string): string[] {
  const { fork, quorum, first, second } = files;
  const verify = (file: string) => `verify ${at(file)} ${key}`;
  return [
    `forks verify ${at(fork)} ${key}`,
    ...[bundle, first.bundle, second.bundle].map((file) => `${verify(file)} --quorum ${at(quorum)}`),
    ...[first.withFork, second.withFork].map(verify),
  ];
}

async function verified(label: string, file: string, trust: readonly string[]): Promise<void> {
  const { exitCode, report } = await svcReport(["verify", file, ...trust]);
  assert.equal(exitCode, 0, `${label} must be verified: ${JSON.stringify(report.problems)}`);
  const { witnessed } = report.assurance;
  assert.equal(witnessed.pinned, 2, "two of the three pinned witnesses must have cosigned");
  step(label, `VERIFIED, exit 0: ${witnessed.pinned} of the 3 cosigned`);
}

async function rejected(label: string, file: string, trust: readonly string[], code: string): Promise<void> {
  const { exitCode, report } = await svcReport(["verify", file, ...trust]);
  assert.equal(exitCode, 1, `${label} must be rejected`);
  const codes: string[] = report.problems.map((problem) => problem.code);
  assert.ok(codes.includes(code), `${label} must give ${code}, and gives ${codes}`);
  step(label, `REJECTED, exit 1: ${code}`);
}
