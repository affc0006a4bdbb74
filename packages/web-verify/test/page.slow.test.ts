/** The page as people use it: from the disk, under stricter policies, with keys and payloads. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { type PublicKeyHex, pinKeys, referenceKernel, selectKernel, verify } from "@svc/core";
import { bundleOf, issueStream } from "@svc/testkit/evidence/service";
import { makePage } from "../build.ts";
import {
  clear,
  FILE_URL,
  give,
  KEY,
  ORIGIN,
  PAGE,
  PAGE_PATH,
  pageTest,
  pin,
  put,
  putFixture,
  saved,
  savedReport,
  state,
  unfold,
  word,
} from "./page.ts";

const MAX_BYTES = 510_000;
const MAX_GZIP_BYTES = 215_000;

const good = putFixture("bundle/good");
const changed = putFixture("bundle/payload-edited");

test(`the page has at most ${MAX_BYTES} bytes, and ${MAX_GZIP_BYTES} after gzip`, (t) => {
  const bytes = readFileSync(PAGE_PATH);
  const gzip = gzipSync(bytes, { level: 9 }).length;
  t.diagnostic(`${bytes.length} bytes, ${gzip} after gzip -9`);
  assert.ok(bytes.length <= MAX_BYTES && gzip <= MAX_GZIP_BYTES, `${bytes.length}, ${gzip}`);
});

test("the same sources give the same bytes, whose hash is beside them", async () => {
  const bytes = readFileSync(PAGE_PATH);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  assert.equal(readFileSync(`${PAGE_PATH}.sha256`, "utf8"), `${sha256}  verify.html\n`);
  assert.equal((await makePage()).html, bytes.toString());
});

test("the policy names this script and this style, and the footer says their hashes", () => {
  const html = readFileSync(PAGE_PATH, "utf8");
  const hashOf = (tag: string) => {
    const [, text = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html) ?? [];
    return createHash("sha256").update(text).digest("base64");
  };
  assert.ok(PAGE.policy.includes(`script-src 'sha256-${hashOf("script")}' 'wasm-unsafe-eval';`));
  assert.ok(PAGE.policy.includes(`style-src 'sha256-${hashOf("style")}';`));
  assert.ok(html.includes(`content="${PAGE.policy}"`));
  assert.ok(html.includes(`<code id="script-hash">sha256-${hashOf("script")}</code>`));
  assert.ok(html.includes(`<code id="kernel-hash">${selectKernel("wasm").sha256Hex}</code>`));
  assert.doesNotMatch(html, /https?:(?!\/\/www\.w3\.org)/);
});

for (const [what, url] of [
  ["from a server", `${ORIGIN}/verify.html`],
  ["from the disk", FILE_URL],
] as const) {
  pageTest(
    `${what}: untrusted, then verified under a pasted key, then a changed file rejected`,
    { url },
    async (page) => {
      await give(page, good);
      assert.match(await word(page), /◐ UNTRUSTED/);
      await page.evaluate(() => {
        document.documentElement.dataset.state = "given";
      });
      // The key is in groups, as people read it out.
      await pin(page, ` ${KEY.toUpperCase().replaceAll(/.{4}/g, "$& ")} `);
      await state(page, "done");
      assert.match(await word(page), /● VERIFIED/);
      assert.match((await page.locator("#running-kernel").textContent()) ?? "", /^kernel [0-9a-f]{16}…$/);
      assert.equal(await page.locator("#limits").textContent(), "");
      await clear(page);
      await give(page, changed);
      assert.match(await word(page), /✗ REJECTED/);
      assert.match((await page.locator("#problems").textContent()) ?? "", /payload_hash_mismatch/);
    },
  );
}

pageTest(
  "where compiled code is forbidden the reference kernel computes, and the page says so",
  { url: `${ORIGIN}/no-wasm.html`, blocked: /WebAssembly|wasm-unsafe-eval/ },
  async (page) => {
    assert.match((await page.locator("#limits").textContent()) ?? "", /the reference kernel computes/);
    await pin(page, KEY);
    await give(page, good);
    assert.match(await word(page), /VERIFIED/);
    assert.match((await page.locator("#details").textContent()) ?? "", /reference, in TypeScript/);
  },
);

pageTest(
  "where workers are forbidden the page computes by itself, and says so",
  { url: `${ORIGIN}/no-worker.html`, blocked: /[Ww]orker/ },
  async (page) => {
    assert.match((await page.locator("#limits").textContent()) ?? "", /the page computes by itself/);
    await pin(page, KEY);
    await give(page, good);
    assert.match(await word(page), /VERIFIED/);
  },
);

pageTest(
  "where both are forbidden there is a verdict all the same",
  { url: `${ORIGIN}/neither.html`, blocked: /[Ww]orker|WebAssembly|wasm-unsafe-eval/ },
  async (page) => {
    await pin(page, KEY);
    await give(page, changed);
    assert.match(await word(page), /REJECTED/);
  },
);

pageTest("a key of the link counts as what it is", { url: `${ORIGIN}/verify.html#key=${KEY}` }, async (page) => {
  assert.match((await page.locator("#keys").textContent()) ?? "", /it came with the link/);
  await give(page, good);
  assert.match((await page.locator("#verdict-sentence").textContent()) ?? "", /under the key that came with the link/);
  assert.equal(
    await page.locator(".verdict").getAttribute("class"),
    "verdict warn",
    "not as good as the reader's own key",
  );
  assert.match((await page.locator(".verdict").textContent()) ?? "", /The sender of the link chose that key/);
  // A key that only a link named is not remembered as the reader's own.
  await unfold(page);
  await page.check("#remember");
  assert.equal(await page.evaluate(() => localStorage.getItem("svc-verify-keys")), null);
});

pageTest("keys are kept only where the reader asks for it, and files never", {}, async (page) => {
  const stored = () => page.evaluate(() => Object.keys(localStorage));
  await pin(page, KEY);
  await give(page, good);
  assert.deepEqual(await stored(), []);
  await unfold(page);
  await page.check("#remember");
  assert.deepEqual(await stored(), ["svc-verify-keys"]);
  await page.reload();
  await state(page, "ready");
  assert.match((await page.locator("#keys").textContent()) ?? "", /remembered in this browser/);
  await page.uncheck("#remember");
  assert.deepEqual(await stored(), []);
});

pageTest("a text that is no key is refused with the reason, and pins nothing", {}, async (page) => {
  for (const [text, fault] of [
    ["", /Paste a key first/],
    ["-----BEGIN PRIVATE KEY-----", /Keep it secret/],
    ["ed25519-4c869819ecf028ae", /fingerprint/],
    [KEY.slice(1), /has 64 hex characters, and this has 63/],
    ["8e46 01be 01da 26b2", /has 64 hex characters, and this has 16/],
    ["xyz", /no key in hex/],
  ] as const) {
    await pin(page, text);
    assert.match((await page.locator("#key-fault").textContent()) ?? "", fault);
    assert.equal(await page.locator("#keys li").count(), 0);
  }
});

pageTest("a receipt and its payload file, a trust file, and what is no evidence", {}, async (page) => {
  const { input } = JSON.parse(
    readFileSync(new URL("../../../fixtures/cases/receipt/good.json", import.meta.url), "utf8"),
  );
  const { payload, payload_salt, ...bare } = JSON.parse(input);
  const receipt = put("bare.receipt.json", JSON.stringify(bare));
  const entry = put("payload.json", JSON.stringify({ payload, payload_salt }));
  const trust = put("acme.trust.json", JSON.stringify({ signers: [{ kid: bare.receipt.kid, public_key_hex: KEY }] }));
  const login = put("login.html", "<!doctype html><p>Sign in</p>");
  await give(page, receipt, entry, trust, login);
  const rows = await page.locator("#files tbody tr").allTextContents();
  assert.match(rows[0] ?? "", /no evidence.*HTML/);
  assert.match(rows[1] ?? "", /VERIFIED.*a receipt/);
  assert.match(rows[2] ?? "", /put into its receipt/);
  assert.match(rows[3] ?? "", /says whom you trust: 1 key/);
  const report = (await savedReport(page)) as { assurance: { redacted: number }; verdict: string };
  assert.deepEqual([report.verdict, report.assurance.redacted], ["verified", 0]);
  await clear(page);
  const other = put("other-payload.json", JSON.stringify({ payload: { a: 1 }, payload_salt }));
  await give(page, receipt, other, trust);
  assert.match((await page.locator("#problems").textContent()) ?? "", /payload_hash_mismatch/);
});

pageTest(
  "two histories of one stream are shown, with proof, and evidence of a fork is marked as a fork",
  {},
  async (page) => {
    const [told, retold] = [await issueStream(12), await issueStream(12, { forkedAt: 6 })];
    const ours = put("ours.bundle.json", JSON.stringify(await bundleOf(told)));
    const theirs = put("theirs.receipt.json", JSON.stringify(retold.records[7]));
    await pin(page, KEY);
    await give(page, ours, theirs);
    const text = (await page.locator("#files").textContent()) ?? "";
    assert.match(
      text,
      /▲ FORK ours\.bundle\.json and theirs\.receipt\.json show two histories of str_\w+: they differ at event 8\./,
    );
    assert.match(text, /2 files: 2 VERIFIED\. Two histories of 1 stream are among them\./);
    for (const name of ["ours.bundle.json", "theirs.receipt.json"]) {
      await page.locator("#files td button", { hasText: name }).click();
      await page.locator(".verdict .file", { hasText: name }).waitFor();
      assert.equal(await page.title(), `▲ FORK · ${name}`);
      assert.match((await page.locator(".verdict").getAttribute("class")) ?? "", /\bbad\b/);
      assert.match((await page.locator(".verdict").textContent()) ?? "", /▲ FORK.*they differ at event 8/);
    }
    const proof = await saved(page, "Save proof that convinces others");
    const trust = pinKeys(referenceKernel, [KEY as PublicKeyHex]);
    assert.equal(verify(Buffer.from(proof), { kind: "fork", trust }).verdict, "verified");
    await clear(page);
    await give(page, put("fork.json", proof), put("good.receipt.json", JSON.stringify(told.records[0])));
    const [first, second] = await page.locator("#files tbody tr").allTextContents();
    assert.match(first ?? "", /fork\.json.*▲ FORK/);
    assert.match(second ?? "", /VERIFIED.*a receipt/);
    assert.equal(await page.title(), "▲ FORK · fork.json");
    assert.match((await page.locator(".verdict.bad").textContent()) ?? "", /▲ FORK.* in str_\w+, at event 8,/);
    assert.match((await page.locator("#files").textContent()) ?? "", /2 files: 1 FORK, 1 VERIFIED\./);
    await clear(page);
    await give(
      page,
      put("good.bundle.json", readFileSync(ours, "utf8")),
      put("again.bundle.json", readFileSync(ours, "utf8")),
    );
    assert.doesNotMatch((await page.locator("#files").textContent()) ?? "", /FORK|Two histories/);
  },
);

pageTest(
  "two histories under a key of the link alone are shown as those of a signer whom the reader did not choose",
  { url: `${ORIGIN}/verify.html#key=${KEY}` },
  async (page) => {
    const [told, retold] = [await issueStream(12), await issueStream(12, { forkedAt: 6 })];
    const ours = put("ours.receipt.json", JSON.stringify(told.records[7]));
    await give(page, ours, put("theirs.receipt.json", JSON.stringify(retold.records[7])));
    const text = (await page.locator("#files").textContent()) ?? "";
    assert.match(text, /they differ at event 8\. Keys that your trust does not reach sealed both/);
    assert.doesNotMatch(text, /your trust reaches everybody/);
  },
);

pageTest("of files whose signatures nobody checked, no proof is offered, and nobody sealed them", {}, async (page) => {
  const records = [await issueStream(12), await issueStream(12, { forkedAt: 6 })].map(({ records }) => records[7]);
  const [left = "", right = ""] = records.map((record, index) =>
    put(
      `forged-${index}.json`,
      JSON.stringify({ ...record, receipt: { ...record?.receipt, signature: `${index + 1}`.repeat(128) } }),
    ),
  );
  await give(page, left, right);
  const text = (await page.locator("#files .fork").textContent()) ?? "";
  assert.match(text, /Not every signature of forged-0\.json and forged-1\.json was checked: anybody could/);
  assert.doesNotMatch(text, /sealed/);
  assert.equal(await page.locator("#files .fork button").count(), 0);
});

pageTest("of many contradictions ten are shown, and the number of the others", {}, async (page) => {
  const told = await issueStream(24);
  const files: string[] = [];
  for (const [index, record] of told.records.slice(12).entries()) {
    const { records } = await issueStream(24, { forkedAt: index + 13 });
    files.push(put(`${index}.a.receipt.json`, JSON.stringify(record)));
    files.push(put(`${index}.b.receipt.json`, JSON.stringify(records[index + 12])));
  }
  await pin(page, KEY);
  await give(page, ...files);
  assert.equal(await page.locator("#files .fork").count(), 10);
  assert.match((await page.locator("#files").textContent()) ?? "", /And 2 more\./);
});

pageTest("another check is about the same bytes, also when the file has changed or is gone", {}, async (page) => {
  const path = put("r.json", readFileSync(putFixture("receipt/good"), "utf8"));
  await give(page, path);
  assert.match(await word(page), /UNTRUSTED/);
  rmSync(path);
  await pin(page, KEY);
  await page.locator(".verdict .word", { hasText: "VERIFIED" }).waitFor();
  await clear(page);
  await give(page, put("r.json", "{"));
  assert.match(await word(page), /REJECTED/);
  await give(page, put("r.json", readFileSync(putFixture("receipt/good"), "utf8")));
  const rows = await page.locator("#files tbody tr").allTextContents();
  assert.equal(rows.length, 2);
  assert.match(rows.join(), /r\.json.*REJECTED.*r\.json.*VERIFIED/);
});

pageTest("an anchor's block is unpinned until a trust file names it; another one does not count", {}, async (page) => {
  const { input, trust } = JSON.parse(
    readFileSync(new URL("../../../fixtures/cases/bundle/good-anchored.json", import.meta.url), "utf8"),
  );
  const bundle = put("anchored.bundle.json", input);
  const said = async (name: string, pins: object) => {
    await give(page, bundle, put(name, JSON.stringify({ signers: trust.signers, ...pins })));
    const { verdict, assurance } = (await savedReport(page)) as {
      verdict: string;
      assurance: { anchored: string };
    };
    const words = (await page.locator("body").textContent()) ?? "";
    await clear(page);
    return { reported: [verdict, assurance.anchored], words };
  };
  const unknown = await said("keys.trust.json", {});
  assert.deepEqual(unknown.reported, ["verified", "unpinned"]);
  assert.match(unknown.words, /anchored in a block that you have not pinned/);
  const pinned = await said("blocks.trust.json", { blocks: trust.blocks, require: ["anchored"] });
  assert.deepEqual(pinned.reported, ["verified", "pinned"]);
  assert.match(pinned.words, /anchored in a block that you pinned/);
  const blocks = [{ ...trust.blocks[0], hash: `0x${"ab".repeat(32)}` }];
  assert.deepEqual((await said("other.trust.json", { blocks, require: ["anchored"] })).reported, [
    "rejected",
    "unpinned",
  ]);
});

pageTest("a payload that came without its salt counts with it, and not without", {}, async (page) => {
  const { payload, payload_salt, ...bare } = JSON.parse(readFileSync(putFixture("receipt/good"), "utf8"));
  const [receipt, alone] = [
    put("no-payload.receipt.json", JSON.stringify(bare)),
    put("bare-payload.json", JSON.stringify(payload)),
  ];
  await pin(page, KEY);
  await give(page, receipt, alone);
  const said = () => page.locator("#files tr[data-file='1']").textContent();
  assert.match((await said()) ?? "", /give its salt below/);
  const salt = async (text: string) => {
    await page.fill("#salt", text);
    await page.click("#salt-form button");
  };
  await salt("xyz");
  assert.match((await page.locator("#salt-fault").textContent()) ?? "", /32 hex characters/);
  await salt("0".repeat(32));
  await page.locator("#problems", { hasText: "payload_hash_mismatch" }).waitFor();
  await salt(payload_salt.toUpperCase());
  await page.locator(".verdict .word", { hasText: "VERIFIED" }).waitFor();
  assert.match((await said()) ?? "", /put into its receipt/);
  const details = (await page.locator("#details").textContent()) ?? "";
  assert.ok(details.includes(createHash("sha256").update(readFileSync(receipt)).digest("hex")), "the file's own hash");
  await clear(page);
  await give(page, receipt);
  assert.ok(await page.locator("#salt-form").isHidden());
});

pageTest("pasted text is checked", {}, async (page) => {
  await page.click("summary:text-is('Paste text instead')");
  await page.fill("#paste", readFileSync(good, "utf8"));
  await page.click("#paste-form button");
  await state(page, "done");
  assert.match((await page.locator(".verdict .file").textContent()) ?? "", /pasted text/);
  assert.match(await word(page), /UNTRUSTED/);
});

pageTest("events are found by text and by type, and those that are wrong alone", {}, async (page) => {
  await give(page, changed);
  const numbers = () => page.locator("#events tbody tr:not(.open) td:first-child").allTextContents();
  const shows = (count: string) => page.locator(`#events [data-part=count]:text-is("${count} shown")`).waitFor();
  await shows("10");
  await page.fill("#events [name=text]", "loan-1006");
  await shows("1");
  assert.deepEqual(
    (await numbers()).map((text) => text.trim()),
    ["6"],
  );
  await page.fill("#events [name=text]", "");
  await shows("10");
  await page.check("#events [name=broken]");
  await shows("1");
  assert.match((await numbers())[0] ?? "", /✗ wrong, event/);
});

pageTest("a broken spot of the picture leads to its problem, by the keyboard", {}, async (page) => {
  await give(page, changed);
  const spot = page.locator(".chain a.spot").first();
  await spot.focus();
  await page.keyboard.press("Enter");
  assert.match(await page.evaluate(() => location.hash), /^#problem-\d+$/);
  assert.match((await page.locator(".problems li:target").textContent()) ?? "", /payload_hash_mismatch/);
});

declare const document: { readonly documentElement: { readonly dataset: { state: string } } };
declare const localStorage: { getItem(name: string): string | null };
declare const location: { readonly hash: string };
