/** An answer in a content coding that nobody asked for is refused: a few bytes could be decoded to gigabytes. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { SvcClient } from "../src/index.ts";
import { collect } from "./collect.ts";

const HEALTH = { status: "ok", version: "0.5.0" };
const TICKET = { path: "/ticket", access_id: "a", file_name: "x.zip", size_bytes: 5, sha256: "00" };

let coding = "";
let body: string | Uint8Array = "";
const asked: unknown[] = [];
const server = createServer((request, response) => {
  asked.push(request.headers["accept-encoding"]);
  if (request.method === "POST") response.end(JSON.stringify(TICKET));
  else response.writeHead(200, coding === "" ? {} : { "content-encoding": coding }).end(body);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
after(() => server.close());
const client = new SvcClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, maxAttempts: 1 });

for (const one of ["gzip", "GZIP", "gzip, gzip", "deflate", "br", "x-unknown"])
  test(`refused: ${one}`, async () => {
    const refusal = {
      name: "SvcError",
      code: "unexpected_answer",
      status: 200,
      retryable: false,
      message: `The answer is in the content coding "${one}", which was not asked for, and was not read.`,
    };
    coding = one;
    body = gzipSync(gzipSync(JSON.stringify(HEALTH)));
    await assert.rejects(client.health(), refusal);
    await assert.rejects(client.exports.download("exp_1"), refusal);
  });

test("every request asks for no coding, and an answer that says that it is in none is read", async () => {
  asked.length = 0;
  [coding, body] = [" Identity", JSON.stringify(HEALTH)];
  assert.deepEqual(await client.health(), HEALTH);
  const { stream } = await client.exports.download("exp_1");
  assert.equal(Buffer.concat(await collect(stream)).toString(), body);
  assert.deepEqual(asked, ["identity", "identity", "identity"]);
});

test("where the runtime itself asks for codings, as browsers do, they are taken", async (t) => {
  const { Request } = globalThis;
  t.after(() => {
    globalThis.Request = Request;
  });
  globalThis.Request = class extends Request {
    constructor(url: string, { headers, ...init }: RequestInit = {}) {
      const kept = new Headers(headers);
      kept.delete("accept-encoding");
      super(url, { ...init, headers: kept });
    }
  };
  [coding, body] = ["gzip", gzipSync(JSON.stringify(HEALTH))];
  assert.deepEqual(await client.health(), HEALTH);
});
