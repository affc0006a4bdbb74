/** Deceptive files, names and links: text stays text, nothing looks better than it is, and the page survives. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { disclosureOf, issueVaultStream, vaultBundleOf } from "@svc/testkit/evidence/vaults";
import { clear, FILE_URL, give, KEY, ORIGIN, pageTest, pin, put, putFixture, saved, state, word } from "./page.ts";

const MARKUP = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const BIDI = "invoice\u202egnp.exe\u2066\u200b\u0000\ud800";

pageTest("text of a file stays text: markup, bidi, ten megabytes; its name too", {}, async (page) => {
  const evidence = await issueStream(3);
  const bundle = JSON.parse(JSON.stringify(await bundleOf(evidence)));
  const [first, second, third] = bundle.artifacts["receipts.json"];
  first.source_ref = MARKUP;
  first.event_type = MARKUP;
  second.source_ref = BIDI.slice(0, -1);
  third.source_ref = "x".repeat(10_000_000);
  bundle.payloads[first.stream_event_id].payload = {
    html: MARKUP,
    bidi: BIDI.slice(0, -1),
    long: "y".repeat(10_000_000),
  };
  const hostile = put(`${MARKUP.replaceAll("/", "")}.json`, JSON.stringify(bundle));
  await pin(page, SERVICE.publicKeyHex);
  await give(page, hostile);
  assert.match(await word(page), /REJECTED/);
  await page.locator("#events tbody button").first().click();
  await page.locator(".payload pre").waitFor();
  const text = (await page.locator(".payload").textContent()) ?? "";
  // A failed comparison would print the whole text.
  assert.ok(text.includes("of which the first 50,000 are shown") && text.includes("\\u202e"));
  const shown = (await page.locator("main").textContent()) ?? "";
  assert.ok(!/[\u202e\u2066\u200b]/.test(shown));
  assert.ok(shown.includes(`<img src=x onerror="document.title='owned'">`));
  assert.equal(await page.locator("#result img, #result script, #files-place img").count(), 0);
  assert.ok((await page.title()).startsWith("✗ REJECTED"));
  assert.ok(shown.length < 120_000, `${shown.length}`);
  const html = await saved(page, "Save the report as a page");
  assert.ok(!/<img|<script|[\u202e\u2066]/.test(html));
});

pageTest("long and reversed text stays short and visible wherever a file can put it", {}, async (page) => {
  const bundle = JSON.parse(JSON.stringify(await bundleOf(await issueStream(4))));
  const long = `${BIDI.slice(0, -1)}${"z".repeat(200_000)}`;
  bundle.artifacts["receipts.json"][0].event_type = long;
  for (const name of ["bundle_id", "stream_id"]) bundle.manifest[name] = long;
  for (const window of bundle.artifacts["windows.json"]) Object.assign(window, { stream_id: long, window_id: long });
  for (const name of ["witnesses.json", "anchors.json"]) bundle.artifacts[name] = hostileArtifact(long);
  bundle[long] = long;
  bundle.seal.kid = long;
  await give(page, put("long.json", JSON.stringify(bundle)));
  assert.match(await word(page), /REJECTED/);
  const html = (await page.locator("html").innerHTML()).replace(/<script>[\s\S]*<\/script>/, "");
  // A failed comparison would print the whole text.
  assert.ok(html.length < 150_000, `${html.length}`);
  assert.ok(!/[\u202e\u2066\u200b\0]/.test(html));
  const report = await saved(page, "Save the report as a page");
  assert.ok(report.length < 150_000 && !/[\u202e\u2066\u200b\0]/.test(report), `${report.length}`);
});

pageTest("markup in what vaults state stays text, in the pictures too", {}, async (page) => {
  // The vault itself has committed to markup.
  const media_type = `${MARKUP} ${BIDI.slice(0, -1)}`;
  const contentOf = (no: number) => ({ sha256: "0".repeat(64), size_bytes: no, media_type });
  const evidence = await issueVaultStream(6, { perWindow: 2, perCheckpoint: 2, contentOf });
  const value = { html: MARKUP, bidi: BIDI.slice(0, -1), [MARKUP]: MARKUP };
  const open = await disclosureOf(evidence, 2);
  const edited = (change: object) => JSON.stringify({ ...open, ...change });
  const field = { ...open.fields.at(-1), value };
  const bundle = JSON.parse(JSON.stringify(await vaultBundleOf(evidence)));
  for (const { envelope } of bundle.artifacts["provenance.json"].envelopes) envelope.installationId = MARKUP;
  Object.assign(bundle.manifest.vault_key_lifecycle[0], { installationId: MARKUP, status: MARKUP });
  await pin(page, SERVICE.publicKeyHex);
  for (const [name, text] of [
    ["value", edited({ fields: [...open.fields.slice(0, -1), field] })],
    ["name", edited({ fields: [{ ...field, name: MARKUP }], audience: MARKUP, disclosureId: MARKUP })],
    ["status", edited({ keyStatus: { ...open.keyStatus, installationId: MARKUP, status: MARKUP } })],
    ["repeated", edited({ fields: open.fields.flatMap((one) => [one, one, one]) })],
    ["bundle", JSON.stringify(bundle)],
  ] as const) {
    await give(page, put(`${name}.json`, text));
    assert.match(await word(page), /REJECTED/, name);
    const shown = (await page.locator("main").textContent()) ?? "";
    assert.ok(!/[\u202e\u2066\u200b]|-\d+ stay/.test(shown), name);
    assert.equal(await page.locator("#result img, #result script").count(), 0, name);
    assert.ok((await page.title()).startsWith("✗ REJECTED"), name);
    const report = await saved(page, "Save the report as a page");
    assert.ok(!/<img|<script|[\u202e\u2066]/.test(report), name);
    await clear(page);
  }
  const reader = `${MARKUP} \u202e`;
  const sealed = await disclosureOf(evidence, 2, { audience: reader, nonce: MARKUP, isSealed: true });
  await give(page, put("sealed.json", JSON.stringify(sealed)));
  assert.match(await word(page), /VERIFIED/);
  assert.equal(await page.locator("#vault rect.opened").count(), sealed.fields.length);
  const shown = (await page.locator("main").textContent()) ?? "";
  assert.ok(shown.includes("sealed for the reader") && shown.includes("onerror") && !shown.includes("\u202e"));
  assert.equal(await page.locator("#result img, #result script").count(), 0);
});

/** Returns witnesses and anchors of every form that the picture reads. */
function hostileArtifact(text: string) {
  const key = { witness_id: text, name: text, public_key_hex: text };
  const member = { statements: [key], witness_policies: [{ witnessKeys: [key] }] };
  return [{ ...member, epoch_no: 1, network: text, block_number: 1 }];
}

pageTest("names of members that mean something to scripts mean nothing here", {}, async (page) => {
  const pin = `{"signers":[{"kid":"ed25519-0011223344556677","public_key_hex":"${SERVICE.publicKeyHex}"}]}`;
  const bundle = JSON.stringify(await bundleOf(await issueStream(4)));
  const files = [
    put("proto-trust.json", `{"__proto__":${pin}}`),
    put("constructor.json", `{"constructor":{"prototype":${pin}}}`),
    put("good.json", bundle),
    put("proto.json", bundle.replace("{", `{"__proto__":{"ok":true},`)),
  ];
  await give(page, ...files);
  const rows = await page.locator("#files tbody tr").allTextContents();
  assert.deepEqual(
    rows.map((row) => /REJECTED|UNTRUSTED|VERIFIED|trust file|no evidence/.exec(row)?.[0]),
    ["REJECTED", "no evidence", "no evidence", "UNTRUSTED"],
  );
  assert.equal(await page.evaluate("({}).signers ?? {}.ok"), undefined);
});

pageTest("of several files the worst is shown, and the list says what the others are", {}, async (page) => {
  await pin(page, KEY);
  await give(page, putFixture("receipt/good"), putFixture("bundle/payload-edited"), putFixture("bundle/good"));
  assert.match(await word(page), /REJECTED/);
  assert.match((await page.locator("#files").textContent()) ?? "", /3 files: 1 REJECTED, 2 VERIFIED\./);
  assert.equal(await page.locator("#said").textContent(), "3 files: 1 REJECTED, 2 VERIFIED.");
  const rows = await page.locator("#files tbody tr").allTextContents();
  assert.doesNotMatch(rows[0] ?? "", /sealed by/);
  for (const row of rows.slice(1)) assert.match(row, /VERIFIED.*sealed by ed25519-[0-9a-f]{16}/);
  assert.ok(await page.locator("#files h2").evaluate(isInView), "the list is in view");
  await page.locator("#files tr[data-file='0'] button").click();
  await page.locator(".verdict.good").waitFor();
});

pageTest(
  "what only the link's key vouches for is said to be that also in the title and aloud",
  { url: `${ORIGIN}/verify.html#key=${KEY}` },
  async (page) => {
    await give(page, putFixture("bundle/good"));
    assert.match(await page.title(), /^◐ VERIFIED/);
    assert.equal(await page.locator("#said").textContent(), "Checked: VERIFIED under the key that came with the link.");
    assert.match(await saved(page, "Save the report as a page"), /<title>◐ VERIFIED: /);
  },
);

pageTest("a key that another file on the disk left in the browser is not believed", { url: FILE_URL }, async (page) => {
  await page.evaluate((key) => localStorage.setItem("svc-verify-keys", JSON.stringify([key])), KEY);
  await page.reload();
  await state(page, "ready");
  assert.equal(await page.locator("#keys li").count(), 0);
  assert.ok(await page.locator("#remember").isDisabled());
  await give(page, putFixture("bundle/good"));
  assert.match(await word(page), /UNTRUSTED/);
});

for (const [where, opening] of [
  ["in a worker", {}],
  ["on the page", { url: `${ORIGIN}/no-worker.html`, blocked: /[Ww]orker/ }],
] as const) {
  pageTest(
    `${where}: files, keys and cancels that come at once end in the state of the last`,
    opening,
    async (page) => {
      const good = readFileSync(putFixture("bundle/good"), "utf8");
      await page.evaluate(`(${AT_ONCE})(${JSON.stringify(good)}, ${JSON.stringify(KEY)})`);
      await state(page, "done");
      assert.deepEqual(await page.locator("#files tbody .mark").allTextContents(), ["◐ UNTRUSTED", "◐ UNTRUSTED"]);
      assert.match(await word(page), /UNTRUSTED/);
      assert.ok(await page.locator("#progress").isHidden());
    },
  );
}

/**
 * Gives files and a key, cancels, gives them again, and takes the key away, all before the first answer. It is text,
 * because it runs in the page.
 */
const AT_ONCE = `(text, key) => {
  const give = (name) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const input = document.querySelector("#file");
    input.files = data.files;
    input.dispatchEvent(new Event("change"));
  };
  const pin = () => {
    document.querySelector("#key").value = key;
    document.querySelector("#key-form").requestSubmit();
  };
  give("first.json");
  pin();
  document.querySelector("#cancel").click();
  give("second.json");
  pin();
  give("third.json");
  document.querySelector("#keys button").click();
}`;

/** These are text, because both run in the page. */
const DROP_MANY = `() => {
  const item = { webkitGetAsEntry: () => ({ isDirectory: true, name: "evidence" }) };
  const files = Array.from({ length: 300 }, (_, at) => new File(['{"n":' + at + "}"], at + ".json"));
  const dataTransfer = { files: [new File([], "evidence"), ...files], items: [item] };
  dispatchEvent(Object.assign(new Event("drop", { cancelable: true }), { dataTransfer }));
}`;
const PASTE_BINARY = `() => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", "\\0\\u0001PK\\u0003\\u0004\\ufffd");
  dispatchEvent(Object.assign(new Event("paste"), { clipboardData }));
}`;

pageTest("folders, hundreds of files and binary text are recognized", {}, async (page) => {
  await page.evaluate(`(${DROP_MANY})()`);
  await state(page, "done");
  const rows = page.locator("#files tbody tr");
  assert.equal(await rows.count(), 301);
  assert.match((await page.locator("#files tr[data-file='0']").textContent()) ?? "", /It is a folder/);
  await clear(page);
  await page.evaluate(`(${PASTE_BINARY})()`);
  await state(page, "done");
  assert.match((await page.locator("#files tbody tr").textContent()) ?? "", /pasted text.*no evidence/);
  assert.equal(await page.locator(".verdict").count(), 0);
});

pageTest("the policy is in force: nothing runs, loads, leaves or frames", { blocked: /./ }, async (page) => {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The server must not keep this process alive if the test fails.
  server.unref();
  const { port } = server.address() as AddressInfo;
  await page.evaluate(`(${TRY_EVERYTHING})("127.0.0.1:${port}")`);
  for (const directive of BLOCKED)
    await page.waitForSelector(`html[data-blocked~="${directive}"]`, { state: "attached" });
  assert.equal(await page.evaluate("window.owned"), undefined);
  // An earlier request would have arrived before this one.
  await page.goto(`http://127.0.0.1:${port}/last`);
  server.close().closeAllConnections();
  assert.deepEqual(
    asked.filter((url) => url !== "/favicon.ico"),
    ["/last"],
  );
});

const BLOCKED = [
  "require-trusted-types-for",
  "script-src-elem",
  "style-src-attr",
  "img-src",
  "connect-src",
  "frame-src",
];
/**
 * Tries everything that injected markup and scripts would try, and notes what the policy blocks. It is text, because it
 * runs in the page.
 */
const TRY_EVERYTHING = `async (host) => {
  const { dataset } = document.documentElement;
  dataset.blocked = "";
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    dataset.blocked += " " + effectiveDirective;
  });
  // In a separate task: what a debugger evaluates may do more than the policy says.
  const tried = (attempt) =>
    new Promise((resolve) => {
      setTimeout(async () => {
        try {
          await attempt();
        } catch {}
        resolve();
      });
    });
  const element = (tag, attributes) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    document.body.append(made);
    return made;
  };
  const url = "http://" + host;
  await tried(() => fetch(url + "/fetch"));
  await tried(() => navigator.sendBeacon(url + "/beacon", "x"));
  await tried(() => new WebSocket("ws://" + host + "/socket"));
  await tried(() => new EventSource(url + "/events"));
  await tried(() => (document.body.innerHTML += "<img src=x onerror=owned=1>"));
  await tried(() => (element("script", {}).text = "owned = 2"));
  await tried(() => element("script", { src: url + "/script" }));
  await tried(() => element("img", { src: url + "/image", style: "color: red" }));
  await tried(() => element("button", { onclick: "owned = 3" }).click());
  await tried(() => element("iframe", { src: url + "/frame" }));
  await tried(() => element("iframe", { srcdoc: "<script>parent.owned = 4</script>" }));
  await tried(() => element("link", { rel: "stylesheet", href: url + "/style" }));
  await tried(() => element("link", { rel: "prefetch", href: url + "/prefetch" }));
  await tried(() => element("object", { data: url + "/object" }));
  await tried(() => element("video", { src: url + "/video" }));
  await tried(() => element("base", { href: url }));
  await tried(() => (0, eval)("owned = 5"));
  await tried(() => Function("owned = 6")());
  await tried(() => setTimeout("owned = 7"));
  await tried(() => new Worker(url + "/worker"));
  await tried(() => import(url + "/module"));
}`;

/** Says whether an element is in view. */
function isInView(element: { getBoundingClientRect(): { readonly top: number; readonly bottom: number } }): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

declare const innerHeight: number;
declare const localStorage: { setItem(name: string, value: string): void };
