/**
 * The story of content that never leaves its owner: a vault commits to 200 documents, one of them is disclosed to a
 * named reader, and three readers verify it without a socket; then for another reader, with another value, under a
 * revoked key. Throws unless everything goes as told. The vault is that of the fixtures: envelopes and their service
 * are made in memory.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Disclosure, type Json, loadKernel, pinKeys, type Report } from "@svc/sdk";
import { buildCli } from "../packages/cli/build.ts";
import { at, ORIGIN, SERVICE } from "../packages/testkit/src/evidence/service.ts";
import {
  disclosureOf,
  issueVaultStream,
  sealedStatus,
  VAULT,
  vaultBundleOf,
} from "../packages/testkit/src/evidence/vaults.ts";
import { buildPage } from "../packages/web-verify/build.ts";
import { svc } from "./auditor.ts";
import { step } from "./progress.ts";
import { startReaders } from "./readers.ts";

const OUT = fileURLToPath(new URL("../demo-out/", import.meta.url));
const DOCUMENTS = 200;
/** The document that somebody asks about. */
const ASKED = 137;
const AUDIENCE = "auditor.example";
const NONCE = "inspection 2026-03-14, question 7";

/** Returns the text of a document. Only its owner has it. */
function documentOf(no: number): string {
  const lots = Array.from({ length: 3 }, (_, lot) => `lot ${no * 3 + lot}: ${(no * 7919 + lot * 104_729) % 1000} kg`);
  return `Inspection report ${no}\n\n${lots.join("\n")}\n\nReleased by inspector ${(no * 31) % 17}.\n`;
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A step of the story: the files that the readers get, and what all of them must say. */
interface Step {
  readonly name: string;
  readonly disclosure: Json;
  readonly trust: Json;
  readonly verdict: Report["verdict"];
  readonly code?: string;
}

/** Tells the story, and writes its files into `demo-out`. */
export async function tellOfContent(): Promise<void> {
  const startedAt = performance.now();
  console.log("\nFrom content to evidence about it that leaves the content where it is\n");
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  await buildCli();
  const pageFile = join(OUT, "verify.html");
  await buildPage(pageFile);
  step("svc and the page built", relative(process.cwd(), pageFile));

  const evidence = await issueVaultStream(DOCUMENTS, {
    perWindow: 50,
    perCheckpoint: 2,
    contentOf: (no) => {
      const text = documentOf(no);
      return { sha256: sha256Of(text), size_bytes: Buffer.byteLength(text), media_type: "text/plain" };
    },
  });
  const trust = {
    signers: pinKeys(await loadKernel(), [SERVICE.publicKeyHex]).signers.map((key) => ({ ...key, origin: ORIGIN })),
    vaults: [{ installation_id: VAULT.installationId, public_key_hex: VAULT.signer.publicKeyHex }],
  };
  const bundleFile = put("content.bundle.json", await vaultBundleOf(evidence));
  const bundle = await readBundle(bundleFile, put("pins.trust.json", trust));
  step("documents committed to", `${DOCUMENTS} envelopes, each vault's chain ${bundle.chain}: VERIFIED, exit 0`);
  for (let no = 1; no <= DOCUMENTS; no++)
    assert.ok(!bundle.text.includes(sha256Of(documentOf(no))), "no hash of a document may leave the vault");
  step("hashes of documents in the bundle", "none: a commitment hides what is under it");

  const sealed = { isSealed: true, audience: AUDIENCE, nonce: NONCE };
  const disclosure = await disclosureOf(evidence, ASKED, { names: ["content", "author"], ...sealed });
  const asked = { ...trust, expect: { audience: AUDIENCE, nonce: NONCE, content_sha256: sha256Of(documentOf(ASKED)) } };
  const documentFile = put(`document-${ASKED}.txt`, documentOf(ASKED));
  const revoked = await sealedStatus(VAULT, {
    status: "revoked",
    revokedAt: at(ASKED - 1),
    revocationReason: "key_compromise",
    statusAt: at(3000),
  });
  const steps: readonly Step[] = [
    { name: "asked", disclosure: disclosure as unknown as Json, trust: asked, verdict: "verified" },
    {
      name: "another-audience",
      disclosure: disclosure as unknown as Json,
      trust: { ...asked, expect: { ...asked.expect, audience: "somebody.example" } },
      verdict: "rejected",
      code: "disclosure_audience_mismatch",
    },
    {
      name: "another-value",
      disclosure: withOtherValue(disclosure),
      trust: asked,
      verdict: "rejected",
      code: "commitment_mismatch",
    },
    {
      name: "another-document",
      disclosure: disclosure as unknown as Json,
      trust: { ...asked, expect: { ...asked.expect, content_sha256: sha256Of(documentOf(ASKED + 1)) } },
      verdict: "rejected",
      code: "content_mismatch",
    },
    {
      name: "revoked-key",
      disclosure: disclosure as unknown as Json,
      trust: { ...asked, key_status: [revoked] } as unknown as Json,
      verdict: "rejected",
      code: "vault_key_revoked",
    },
  ];
  const readers = await startReaders(pageFile);
  try {
    for (const one of steps) await readAll(one, readers.all);
  } finally {
    await readers.end();
  }
  const [disclosureFile, trustFile] = [join(OUT, "asked.disclosure.json"), join(OUT, "asked.trust.json")];
  const args = ["--file", disclosureFile, "--content", documentFile, "--trust", trustFile];
  const read = await svc(["disclosures", "verify", ...args]);
  assert.equal(read.exitCode, 0, read.output);
  step("svc, with the document itself", "VERIFIED, exit 0");
  tellEnding(read.output, steps, bundleFile, documentFile, (performance.now() - startedAt) / 1000);
}

/** Prints what happened, and the commands that repeat it. */
function tellEnding(
  auditorOutput: string,
  steps: readonly Step[],
  bundleFile: string,
  documentFile: string,
  seconds: number,
): void {
  const shown = (file: string) => relative(process.cwd(), file) || ".";
  const command = `node ${shown(fileURLToPath(new URL("../packages/cli/dist/svc.mjs", import.meta.url)))}`;
  const filesOf = (name: string) =>
    `${shown(join(OUT, `${name}.disclosure.json`))} --trust ${shown(join(OUT, `${name}.trust.json`))}`;
  console.log(`
What the reader sees, with nothing but the files:

${auditorOutput.trimEnd()}

What happened: a vault committed to ${DOCUMENTS} documents, and no document and no hash of one left it. Then its owner opened two
fields about document ${ASKED} for ${AUDIENCE}, and ${AUDIENCE} alone: three readers accept that, and reject it for
another reader, with another value, beside another document, and under a key that was revoked before. Envelopes and their
service were made in memory here.

Everything is in ${shown(OUT)}/. Repeat by hand:

  ${command} bundles provenance-verify ${shown(bundleFile)} --trust ${shown(join(OUT, "pins.trust.json"))}
  ${command} disclosures verify ${filesOf("asked")} --content ${shown(documentFile)}
${steps.map(({ name }) => `  ${command} verify ${filesOf(name)}\n`).join("")}
Done in ${seconds.toFixed(1)} s.
`);
}

/** Has all readers read a step's files: each must say what the step says. */
async function readAll(one: Step, readers: Awaited<ReturnType<typeof startReaders>>["all"]): Promise<void> {
  const file = put(`${one.name}.disclosure.json`, one.disclosure);
  const trustFile = put(`${one.name}.trust.json`, one.trust);
  const said = [];
  for (const [who, read] of Object.entries(readers)) {
    const { verdict, problems } = await read(file, trustFile);
    const codes = problems.map(({ code }) => code as string);
    assert.equal(verdict, one.verdict, `${who}, ${one.name}: ${codes}`);
    if (one.code === undefined) assert.deepEqual(codes, [], `${who}, ${one.name}`);
    else assert.ok(codes.includes(one.code), `${who}, ${one.name}: ${codes}`);
    said.push(who);
  }
  const why = one.code === undefined ? "" : `: ${one.code}`;
  step(one.name.replaceAll("-", " "), `${one.verdict.toUpperCase()}${why}, say ${said.join(", ")}`);
}

/** Resolves to the text of a bundle that `svc` verifies, and whether the chains of its vaults are whole. */
async function readBundle(file: string, trustFile: string): Promise<{ text: string; chain: string }> {
  const args = ["bundles", "provenance-verify", "--file", file, "--trust", trustFile];
  const { exitCode, output } = await svc([...args, "--json"]);
  assert.equal(exitCode, 0, output);
  const { assurance } = JSON.parse(output) as Report;
  assert.equal(assurance.provenance?.vault_chain, "complete");
  assert.equal(assurance.provenance.vault_keys, "pinned");
  return { text: readFileSync(file, "utf8"), chain: assurance.provenance.vault_chain };
}

/** Returns a disclosure in which the first opened text says something else. */
function withOtherValue(disclosure: Disclosure): Json {
  const fields = disclosure.fields.map((field) => (field.name === "author" ? { ...field, value: "Somebody" } : field));
  return { ...disclosure, fields } as unknown as Json;
}

/** Writes a text, or a value as JSON, into the demo's folder, and returns its path. */
function put(name: string, content: unknown): string {
  const path = join(OUT, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
