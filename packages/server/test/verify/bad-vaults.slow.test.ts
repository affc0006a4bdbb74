/** Evidence of vaults that must not pass, sent to a server: it says what core says under the server's own keys. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { referenceKernel, type TrustPolicy, verify } from "@svc/core";
import { badVaults } from "@svc/testkit/evidence/bad-vaults";
import { Client } from "@svc/testkit/server/client";
import { startServer } from "@svc/testkit/server/running-server";

test("nothing of it passes", async (t) => {
  const { server, made } = await startServer(t);
  const anybody = new Client(server.url, "");
  const own = { kid: made.kid, public_key_hex: made.public_key_hex, origin: made.origin };
  const trust = { signers: [own] } as TrustPolicy;
  for (const [name, { text }] of Object.entries(await badVaults())) {
    const wanted = verify(Buffer.from(text), { trust, kernel: referenceKernel });
    assert.notEqual(wanted.verdict, "verified", name);
    const { status, body } = await anybody.post("/v2/verify", text);
    if (wanted.kind === null) assert.deepEqual([status, body.detail.code], [400, "unsupported_object"], name);
    else {
      const codes = ({ problems }: { problems: readonly { code: string }[] }) => problems.map(({ code }) => code);
      assert.deepEqual([status, body.verdict, codes(body)], [200, wanted.verdict, codes(wanted)], name);
    }
  }
});

test("a body of 256 MiB + 1 is refused before it is read", async (t) => {
  const { server } = await startServer(t);
  const response = await fetch(`${server.url}/v2/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Uint8Array(2 ** 28 + 1).fill(0x20),
  }).catch((error: unknown) => error);
  // A server that has answered may close the connection while the rest is still on its way.
  if (response instanceof Response) assert.match(await response.text(), /body_too_large/);
  else assert.ok(response instanceof TypeError);
});
