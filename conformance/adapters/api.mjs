#!/usr/bin/env node
/**
 * `node api.mjs --url http://127.0.0.1:8080`: a running server as an implementation of the conformance protocol. Each
 * `verify` becomes a POST /v2/verify. That route takes the bare object and nothing beside it: it pins the service's own
 * keys, for its own origin. A case under any other trust, or with links, is answered with `unsupported_op`, and so is
 * one whose kind the object does not show; `hello` therefore does not name `verify` among the operations. Most cases
 * fit a server whose only key is the test key of the fixtures (test-key-server.ts starts one).
 */
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { converse, unsupported, verifyOperation } from "./converse.mjs";

/** The protocol's name, the first word of its hashes and seals. */
const PROTOCOL = "SVC-PROOFSTREAM-001";
/** The refusals of the route that are in the place of a report. */
const WITHOUT_REPORT = new Set([
  "json_malformed",
  "duplicate_name",
  "lossy_number",
  "invalid_unicode",
  "too_deep",
  "unsupported_object",
  "object_too_complex",
  "body_too_large",
]);
/** Pauses of one request that are waited for; a runner's own patience may end before. */
const MAX_PAUSES = 60;
/** So often a request is sent whose connection ends before the answer. */
const MAX_TRIES = 3;
/** It has the members of inclusion evidence, and its report names the verifier. */
const OF_SOME_KIND = '{"leaf_index":0,"tree_size":0,"inclusion_path":[],"window_root":""}';

/** The service's own keys, as it states them; null until they are asked for. */
let ownKeys = null;

const base = readUrl();
if (base === null) process.exitCode = 64;
else
  await converse({
    hello: { takes: [], run: () => hello(base) },
    verify: verifyOperation((request) => verify(base, request)),
  });

function readUrl() {
  try {
    const { values } = parseArgs({ options: { url: { type: "string" } } });
    if (values.url !== undefined) return new URL(values.url);
  } catch (error) {
    console.error(error.message);
  }
  console.error("usage: node api.mjs --url http://127.0.0.1:8080");
  return null;
}

async function hello(base) {
  const { version } = await (await send(new URL("/health", base), {})).json();
  const { verifier } = await (await post(base, OF_SOME_KIND)).json();
  const { kernel_sha256 } = verifier;
  return { ok: true, implementation: "POST /v2/verify", version, kernel_sha256, protocol: PROTOCOL, ops: ["hello"] };
}

async function verify(base, { bytes, kind, trust, links = [] }) {
  if (links.length > 0) return unsupported("the route takes no links");
  const pins = await pinsOf(base, trust);
  if (pins === null) return unsupported("the route trusts the service's own keys, and this case trusts others");

  const response = await post(base, Buffer.from(bytes, "base64"));
  const answer = await response.json();
  if (!response.ok) {
    const { code, message } = answer.detail;
    if (WITHOUT_REPORT.has(code)) return unsupported(`the route answers ${response.status} ${code}, and no report`);
    throw new Error(`${response.status} ${code}: ${message}`);
  }
  if (kind !== undefined && answer.kind !== kind)
    return unsupported(`the route finds the kind by itself, ${answer.kind}, and takes none`);
  // The server pins its keys for its own origin. Where that decides, the case asks for something else.
  if (!pins.areForOrigin && answer.problems.some(({ code }) => code === "signer_not_for_stream"))
    return unsupported("the route pins the service's keys for its own origin alone");
  return { ok: answer.ok, report: answer };
}

/**
 * Resolves to how a trust policy pins the service's own keys: whether for its origin alone. Resolves to null for a
 * policy that says anything else.
 */
async function pinsOf(base, trust) {
  ownKeys ??= await (await send(new URL("/v2/keys", base), {})).json();
  const { origin, keys } = ownKeys;
  const { signers, ...others } = trust ?? {};
  if (!Array.isArray(signers) || Object.keys(others).length > 0 || signers.length !== keys.length) return null;
  const wanted = new Set(keys.map(({ kid, public_key_hex }) => `${kid} ${public_key_hex}`));
  for (const { kid, public_key_hex, origin: only = origin, ...scope } of signers)
    if (!wanted.delete(`${kid} ${public_key_hex}`) || only !== origin || Object.keys(scope).length > 0) return null;
  return { areForOrigin: signers.every((signer) => signer.origin === origin) };
}

function post(base, body) {
  const headers = { "Content-Type": "application/json" };
  return send(new URL("/v2/verify", base), { method: "POST", headers, body });
}

/** Sends a request, again after each pause that the server asks for. */
async function send(url, options) {
  for (let pauses = 0; ; pauses++) {
    const response = await answered(url, { redirect: "error", ...options });
    const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
    const asksForPause = (response.status === 429 || response.status === 503) && seconds >= 0;
    if (!asksForPause || pauses === MAX_PAUSES) return response;
    await response.arrayBuffer();
    await pause(seconds * 1000);
  }
}

/**
 * Sends a request, and again if the connection is lost: a server may end one that it kept while a request is on its
 * way. No request here changes anything.
 */
async function answered(url, options) {
  for (let tries = 1; ; tries++) {
    try {
      return await fetch(url, options);
    } catch (error) {
      if (tries === MAX_TRIES) throw new Error(`${url}: ${error.cause?.message ?? error.message}`);
    }
  }
}
