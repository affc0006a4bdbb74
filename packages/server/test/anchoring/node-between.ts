/** A node that lies: it is between a server and the real one, and changes what it likes. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** A call, and the result of the real node. */
export interface Between {
  readonly id: number;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read parameters and results by the members that they expect
  readonly params: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly result: any;
}

/** Returns another result, or resolves to it; undefined for the real one; or answers by itself, and returns null. */
export type Change = (call: Between, response: ServerResponse) => unknown;

/** Starts it until the test ends. The change, and the real node's address, can be replaced at any time. */
export async function nodeBetween(t: TestContext, url: string) {
  const state = { url: "", target: url, change: (() => undefined) as Change, calls: 0 };
  const server = createServer(async (request, response) => {
    state.calls += 1;
    const body = await textOf(request);
    const real = await answerOf(state.target, body);
    // The real node ends with its test, while the server still asks.
    if (real === null) return void response.destroy();
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown };
    const changed =
      "result" in real ? await state.change({ id, method, params, result: real.result }, response) : undefined;
    if (changed === null) return;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(changed === undefined ? real : { ...real, result: changed }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => void server.close().closeAllConnections());
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-of-the-operator`;
  return state;
}

/** Resolves to the answer of the real node, or null. */
async function answerOf(url: string, body: string): Promise<{ result?: unknown } | null> {
  try {
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    return (await answer.json()) as { result?: unknown };
  } catch {
    return null;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
