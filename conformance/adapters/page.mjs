#!/usr/bin/env node
/**
 * `node page.mjs --chromium /path/to/chromium --page verify.html`: the verify page as an implementation of the
 * conformance protocol. A Chromium of the machine opens the page from the disk, and the page's own functions for
 * scripts (`window.svcVerify`) verify. It needs a Chromium, Chrome or Edge (a headless shell will do), and nothing
 * else. `--no-sandbox` is for a Chromium that runs as root.
 */
import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { startChromium } from "./browser.mjs";
import { converse, verifyOperation } from "./converse.mjs";

/** The protocol's name, the first word of its hashes and seals. */
const PROTOCOL = "SVC-PROOFSTREAM-001";

/** The error of the page for a kind that it does not verify. */
const NO_KIND = /^TypeError: ".*" is no kind that this release verifies$/m;

/** It runs in the page. It gets texts and returns one, so that no value changes on the way. */
const VERIFY = `async (base64, options) => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return JSON.stringify(await svcVerify.verify(bytes, JSON.parse(options)));
}`;

const call = readCall();
if (call === null) process.exitCode = 64;
else {
  const browser = await startChromium(call.chromium, call.words);
  try {
    const page = await openPage(browser, pathToFileURL(resolve(call.page)).href);
    await converse({
      hello: { takes: [], run: () => hello(page) },
      verify: verifyOperation((request) => verify(page, request)),
    });
  } finally {
    await browser.close();
  }
}

function readCall() {
  const text = { type: "string" };
  try {
    const options = { chromium: text, page: text, "no-sandbox": { type: "boolean" } };
    const { values } = parseArgs({ options });
    const { chromium, page } = values;
    if (chromium !== undefined && page !== undefined) {
      accessSync(chromium, constants.X_OK);
      accessSync(page, constants.R_OK);
      return { chromium, page, words: values["no-sandbox"] ? ["--no-sandbox"] : [] };
    }
  } catch (error) {
    console.error(error.message);
  }
  console.error("usage: node page.mjs --chromium PATH --page verify.html [--no-sandbox]");
  return null;
}

/** Opens the page, and resolves to what calls its verifier. */
async function openPage(browser, url) {
  const { targetId } = await browser.call("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await browser.call("Target.attachToTarget", { targetId, flatten: true });
  await browser.call("Page.enable", {}, sessionId);
  const loaded = browser.next("Page.loadEventFired");
  await browser.call("Page.navigate", { url }, sessionId);
  await loaded;
  const { result } = await browser.call("Runtime.evaluate", { expression: "globalThis" }, sessionId);
  return async (base64, options) => {
    const answer = await browser.call(
      "Runtime.callFunctionOn",
      {
        functionDeclaration: VERIFY,
        objectId: result.objectId,
        arguments: [{ value: base64 }, { value: JSON.stringify(options) }],
        awaitPromise: true,
        returnByValue: true,
      },
      sessionId,
    );
    const { exceptionDetails: thrown } = answer;
    if (thrown !== undefined) throw new Error(thrown.exception?.description ?? thrown.text);
    return JSON.parse(answer.result.value);
  };
}

async function hello(page) {
  const { verifier } = await page("", {});
  const { version, kernel_sha256 } = verifier;
  const ops = ["hello", "verify"];
  return { ok: true, implementation: "verify.html", version, kernel_sha256, protocol: PROTOCOL, ops };
}

async function verify(page, { bytes, kind, trust, links }) {
  try {
    const report = await page(bytes, { kind, trust, links });
    return { ok: report.ok, report };
  } catch (error) {
    if (!NO_KIND.test(error.message)) throw error;
    return { ok: false, code: "unsupported_object" };
  }
}
