/** `svc verify truth-package`, and packages among the arguments of `svc verify`. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ARTIFACT_PATHS, MANIFEST_PATH, VERSION } from "@svc/core";
import { buildZip, utf8 } from "@svc/testkit/evidence/build-zip";
import { packageInput, packageOf, partsOf, smallInput } from "@svc/testkit/evidence/truth-packages";
import { bundle, FOLDER, PIN, put, svc } from "./svc.ts";

const bytes = await packageOf(await packageInput());
const good = put("march.truth.zip", bytes);
const parts = partsOf(bytes);
const edited = put(
  "edited.zip",
  buildZip(parts.map((part) => (part.name === "events.csv" ? { ...part, content: utf8("nothing") } : part))),
);
const stray = put("stray.zip", buildZip([...parts, { name: "../x", content: utf8("x") }]));
const sha256 = (content: Uint8Array | undefined) =>
  createHash("sha256")
    .update(content ?? assert.fail("no content"))
    .digest("hex");
const PACKAGE = sha256(bytes);
const MANIFEST = sha256(parts.find(({ name }) => name === MANIFEST_PATH)?.content);
const ACCESS = "tpa_01k30000000000000000000001";
const CHALLENGE = "0123456789abcdef".repeat(4);
const verify = (file: string, ...more: string[]) => svc(["verify", "truth-package", "--file", file, ...more]);
const written = () => JSON.parse(readFileSync(join(FOLDER, "out.json"), "utf8"));

test("a package is verified, named by itself or by its kind, and the page says what it shows", async () => {
  for (const outcome of [await verify(good, "--all", ...PIN), await svc(["verify", good, "--all", ...PIN])]) {
    assert.deepEqual([outcome.code, outcome.stderr], [0, ""]);
    assert.match(outcome.stdout, /^VERIFIED {3}exp_01k3/);
    assert.match(outcome.stdout, /sealed by ed25519-[0-9a-f]{16}, which you pinned/);
    assert.match(outcome.stdout, /are all here, none missing, none added/);
  }
});

test("without a key it is untrusted, and the page names the key to ask for", async () => {
  const outcome = await verify(good);
  assert.equal(outcome.code, 2);
  assert.match(outcome.stdout, /Fingerprint of the key in this file: [0-9a-f]{4} [0-9a-f]{4} /);
  assert.match(outcome.stdout, /svc verify truth-package march\.truth\.zip/);
});

test("the report is the body for the service", async () => {
  const args = ["--access-id", ACCESS, "--challenge", CHALLENGE, "--report", "out.json", "--sha256", PACKAGE];
  const proof = createHash("sha256").update(CHALLENGE).update(bytes).digest("hex");
  for (const more of [[], ["--cross-check"]]) {
    assert.equal((await verify(good, ...PIN, ...args, ...more)).code, 0);
    assert.deepEqual(written(), {
      verifierKind: "svc-cli",
      verifierVersion: VERSION,
      accessId: ACCESS,
      proof,
      verificationReport: {
        ok: true,
        packageSha256: PACKAGE,
        manifestSha256: MANIFEST,
        verifiedArtifacts: ARTIFACT_PATHS.length,
        problems: [],
      },
    });
  }
});

test("the report says what is wrong, and --json prints the whole one", async () => {
  const outcome = await verify(edited, ...PIN, "--report", "out.json", "--json");
  assert.equal(outcome.code, 1);
  const { problems, kind } = JSON.parse(outcome.stdout);
  assert.equal(kind, "truth-package");
  const { accessId, proof, verificationReport } = written();
  assert.deepEqual([accessId, proof], [null, null]);
  assert.deepEqual(verificationReport.problems, problems);
  assert.deepEqual(
    [verificationReport.ok, verificationReport.verifiedArtifacts, verificationReport.manifestSha256],
    [false, 2, MANIFEST],
  );
  assert.equal((await verify(stray, ...PIN, "--report", "out.json")).code, 1);
  const refused = written().verificationReport;
  assert.deepEqual([refused.manifestSha256, refused.verifiedArtifacts], [null, 0]);
  assert.equal(refused.problems[0].code, "archive_path_forbidden");
});

test("a package with another hash than is given is rejected before it is read", async () => {
  const outcome = await verify(edited, ...PIN, "--sha256", PACKAGE, "--report", "out.json");
  assert.deepEqual([outcome.code, outcome.stdout], [1, ""]);
  assert.match(outcome.stderr, /is another file than the one that you mean/);
  assert.equal(written().exit_code, 1);
});

test("wrong calls", async () => {
  for (const [option, value] of [
    ["--sha256", PACKAGE.toUpperCase()],
    ["--sha256", "00"],
    ["--access-id", "tpa_1"],
    ["--challenge", CHALLENGE.toUpperCase()],
    ["--challenge", CHALLENGE.slice(1)],
  ] as const)
    assert.equal((await verify(good, option, value)).code, 64, `${option} ${value}`);
});

test("another kind is rejected, with the command that checks it; and a package by the commands of other kinds", async () => {
  const asPackage = await verify("march.bundle.json", ...PIN);
  assert.equal(asPackage.code, 1);
  assert.match(asPackage.stdout.replace(/\s+/g, " "), /looks like a bundle, and this command checks a truth package/);
  assert.match(asPackage.stdout, /✗ archive_malformed/);
  assert.match(asPackage.stdout, /svc bundles offline-verify march\.bundle\.json/);
  const asBundle = await svc(["bundles", "offline-verify", "--file", good, ...PIN]);
  assert.equal(asBundle.code, 66);
  assert.match(asBundle.stderr, /is a ZIP archive, not JSON\.[\s\S]*svc verify truth-package/);
});

test("each package among other files has its own line", async () => {
  put("second.bundle.json", bundle);
  put("small.zip", await packageOf(await smallInput()));
  const outcome = await svc(["verify", good, "second.bundle.json", "small.zip", stray, ...PIN]);
  assert.equal(outcome.code, 1);
  assert.match(outcome.stdout, /VERIFIED +truth-package +exp_01k3\w+ +march\.truth\.zip/);
  assert.match(outcome.stdout, /VERIFIED +truth-package +exp_01k3\w+ +small\.zip/);
  assert.match(outcome.stdout, /REJECTED +truth-package .*stray\.zip/);
});
