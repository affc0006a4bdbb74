/** The functions for scripts: on the page, and as a typed module. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { TrustPolicy as CorePolicy } from "@svc/core";
import type { TrustPolicy } from "../src/api-types.ts";
import { EXAMPLE, FILE_URL, FOLDER, KEY, ORIGIN, PAGE_PATH, pageTest } from "./page.ts";

pageTest("scripts have the same verifier, and no way in without bytes", {}, async (page) => {
  const { input } = JSON.parse(
    readFileSync(new URL("../../../fixtures/cases/bundle/good.json", import.meta.url), "utf8"),
  );
  const [receipt, inclusion] = ["receipt/good", "inclusion/bare"].map(
    (name) => JSON.parse(readFileSync(new URL(`../../../fixtures/cases/${name}.json`, import.meta.url), "utf8")).input,
  );
  const answers = await page.evaluate(
    async ([bundle = "", one = "", inclusion = "", key = ""]) => {
      const { verify, verifyReceipt, verifyInclusion, verifyCheckpointRoot, verifyCompleteness } = svcVerify;
      const under = { publicKeysHex: [key] };
      const checkpoint = JSON.stringify(JSON.parse(bundle).artifacts["checkpoints.json"][0]);
      return [
        Object.keys(svcVerify).sort().join(),
        (await verify(bundle, under)).verdict,
        (await verify(bundle)).verdict,
        (await verifyReceipt(one, under)).verdict,
        (await verifyReceipt(bundle, under)).verdict,
        (await verifyInclusion(inclusion, under)).verdict,
        (await verifyInclusion(one, under)).verdict,
        (await verifyCheckpointRoot(checkpoint, under)).verdict,
        (await verifyCompleteness(bundle, { from: 1, to: 10 }, under)).verdict,
        (await verifyCompleteness(bundle, { to: 11 }, under)).problems[0]?.code,
        await verify(bundle, { publicKeysHex: ["zz"] }).catch(({ name }) => name),
      ];
    },
    [input, receipt, inclusion, KEY],
  );
  assert.deepEqual(answers, [
    "verify,verifyCheckpointRoot,verifyCompleteness,verifyInclusion,verifyReceipt",
    "verified",
    "untrusted",
    "verified",
    "rejected",
    "untrusted",
    "rejected",
    "verified",
    "verified",
    "range_incomplete",
    "TypeError",
  ]);
});

test("the same as a module, built for scripts, and no word of credentials in either", async () => {
  const module = await import(new URL("svc-verify.mjs", new URL(FILE_URL)).href);
  const { input } = JSON.parse(
    readFileSync(new URL("../../../fixtures/cases/receipt/good.json", import.meta.url), "utf8"),
  );
  const report = await module.verifyReceipt(input, { publicKeysHex: [KEY] });
  assert.deepEqual([report.verdict, report.kind], ["verified", "receipt"]);
  for (const file of [PAGE_PATH, PAGE_PATH.replace("verify.html", "svc-verify.mjs")])
    assert.doesNotMatch(
      readFileSync(file, "utf8"),
      /authorization|bearer|credentials|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon/i,
    );
});

const SCRIPTS = [`${ORIGIN}/svc-verify.mjs`, `${ORIGIN}/example.mjs`];

pageTest(
  "the example of the README, on another page",
  { url: `${ORIGIN}/other.html`, blocked: new RegExp(`^asked for (${SCRIPTS.join("|")})$|^warning: `) },
  async (page) => {
    const { input } = JSON.parse(
      readFileSync(new URL("../../../fixtures/cases/receipt/good.json", import.meta.url), "utf8"),
    );
    const answers = await page.evaluate(
      async ([text = "", key = ""]) => {
        const { isSigned } = (await import("/example.mjs" as string)) as Example;
        return [
          await isSigned(new Blob([text]), key),
          await isSigned(new Blob([text]), "0".repeat(64)),
          await isSigned(new Blob([text.slice(1)]), key),
        ];
      },
      [input, KEY],
    );
    assert.deepEqual(answers, [true, false, false]);
  },
);

for (const [module, moduleResolution] of [
  ["esnext", "bundler"],
  ["nodenext", "nodenext"],
] as const) {
  test(`the typings are understood by a strict compiler, ${moduleResolution}, and by its rules alone`, () => {
    const folder = join(FOLDER, `typed-${moduleResolution}`);
    mkdirSync(folder);
    for (const name of ["svc-verify.mjs", "svc-verify.d.mts"]) copyFileSync(join(FOLDER, name), join(folder, name));
    const compilerOptions = { ...STRICT, module, moduleResolution };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    writeFileSync(join(folder, "example.mts"), EXAMPLE);
    writeFileSync(join(folder, "program.mts"), PROGRAM);
    assert.deepEqual(compile(folder), []);
    // The compiler reports the mistakes: the types are no any.
    writeFileSync(join(folder, "program.mts"), WRONG);
    assert.deepEqual(
      compile(folder).map((line) => line.replace(/^program\.mts\((\d+),.*(TS\d+):.*$/, "$1 $2")),
      ["2 TS2353", "3 TS2353", "4 TS2820", "5 TS2367", "6 TS2339"],
    );
  });
}

test("the published policy has every member of core's", () => {
  type Missing =
    | Exclude<keyof CorePolicy, keyof TrustPolicy>
    | Exclude<keyof CorePolicy["signers"][number], keyof TrustPolicy["signers"][number]>;
  const hasAll: [Missing] extends [never] ? true : never = true;
  assert.ok(hasAll);
});

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom"],
  types: [],
};
const PROGRAM = `import { verify, verifyCheckpointRoot, verifyCompleteness, verifyInclusion, verifyReceipt } from "./svc-verify.mjs";
import type { Evidence, Kind, Problem, Report, SvcVerify, TrustPolicy, VerifyOptions } from "./svc-verify.mjs";

declare global {
  interface Window {
    readonly svcVerify: SvcVerify;
  }
}
const trust: TrustPolicy = { signers: [{ kid: "ed25519-0011223344556677", public_key_hex: "00" }], quorum: 1 };
const options: VerifyOptions = { publicKeysHex: ["00"], trust, kind: "bundle", links: [{}] };
export async function all(evidence: Evidence): Promise<Report[]> {
  const kind: Kind | null = (await verify(new Uint8Array(), options)).kind;
  const first: Problem | undefined = (await window.svcVerify.verify("{}")).problems[0];
  if (kind === "truth-package" || first?.code === "key_not_pinned") return [];
  return Promise.all([
    verifyReceipt(evidence),
    verifyInclusion(new ArrayBuffer(8), options),
    verifyCheckpointRoot("{}", { publicKeysHex: [] }),
    verifyCompleteness(evidence, { streamId: "str_1", from: 1, to: 2 }, options),
  ]);
}
`;
const WRONG = `import { verify } from "./svc-verify.mjs";
verify({ parsed: true });
verify("", { bearer: "" });
verify("", { kind: "recept" });
verify("").then(({ verdict }) => verdict === "good");
verify("").then(({ valid }) => valid);
`;

/** Returns the compiler's messages about a folder, line by line. */
function compile(folder: string): string[] {
  const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: folder, encoding: "utf8" });
  assert.equal(stderr, "");
  return stdout.split("\n").filter((line) => /^\S/.test(line));
}

interface Example {
  isSigned(file: Blob, publicKeyHex: string): Promise<boolean>;
}
declare const svcVerify: typeof import("../src/api.ts");
