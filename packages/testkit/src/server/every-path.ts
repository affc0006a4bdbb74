/**
 * One use of every way on which evidence is recorded, sealed and read, for tests and benches that look at the
 * statements behind them.
 */
import assert from "node:assert/strict";
import { contractsOf } from "@svc/api";
import { until } from "../until.ts";
import type { Answer, Client } from "./client.ts";
import { loan } from "./loan.ts";

/** The routes that record, and that which has evidence sealed. */
const RECORDING = [
  "/v2/streams",
  "/v2/streams/{streamId}/events",
  "/v2/streams/{streamId}/events/batch",
  "/v1/sdk/events",
  "/v1/sdk/events/batch",
  "/v2/audit/packs",
];
/** Routes that read no evidence: pages and documents about the server itself, and packages, which jobs make. */
const OTHER = /^(?:\/|\/docs|\/openapi\.json|\/verify\.html|\/metrics|\/health|\/v1\/exports.*)$/;

/**
 * Uses them with two streams of the client's system, each of which gets some events, and with the event log of its
 * system. The server must make epochs often. Rejects if an answer is not the expected one, or if a route of this
 * release is not used.
 */
export async function useEveryPath(client: Client, streams: readonly [string, string]): Promise<void> {
  const used = new Set<string>();
  const noted = (method: string, path: string) => used.add(`${method} ${path.replace(/\?.*/, "")}`);
  const get = async (path: string, status = 200) => {
    noted("GET", path);
    return expected(await client.get(path), status, path);
  };
  const post = async (path: string, body: unknown, status = 201, headers: Record<string, string> = {}) => {
    noted("POST", path);
    return expected(await client.post(path, body, headers), status, path);
  };
  const key = `path-${streams[0]}`;

  await post("/v2/streams", {
    use_case: "loans",
    policy_id: "default",
    metadata: {},
    system_id: await systemOf(client),
  });
  for (const stream of streams) {
    const at = `/v2/streams/${stream}`;
    const { body: before } = await client.get(`${at}/proof-state`);
    const batch = { events: [1, 2, 3].map((number) => loan(number)) };
    const first = await post(`${at}/events`, loan(1), 201, { "idempotency-key": `${key}-${stream}` });
    const again = await post(`${at}/events`, loan(1), 201, { "idempotency-key": `${key}-${stream}` });
    assert.equal(again.text, first.text);
    await post(`${at}/events?after_key=${key}-${stream}`, loan(2), 201, {
      "idempotency-key": `${key}-${stream}-2`,
      "if-head-match": first.body.stream_head_hash,
    });
    for (const _ of ["once", "again"])
      await post(`${at}/events/batch`, batch, 201, { "idempotency-key": `${key}-${stream}`, prefer: "return=minimal" });
    // A pack has its events sealed at once: each ends with its own checkpoint.
    const pack = (to: number) => ({ stream_id: stream, from_seq_no: to - 3, to_seq_no: to });
    await post("/v2/audit/packs", pack(before.head_seq_no + 5));
    await post(`${at}/events`, loan(6), 201, { "idempotency-key": `${key}-${stream}-6` });
    await post("/v2/audit/packs", pack(before.head_seq_no + 6));
    await client.witnessed(stream, before.head_seq_no + 6);
  }
  // The key is known, and was used with the first stream.
  const [one, other] = streams;
  await post(`/v2/streams/${other}/events`, loan(1), 409, { "idempotency-key": `${key}-${one}` });

  const logged = { type: "path", status: "used", occurred_at: "2026-03-01T10:15:30Z", source_ref: "path", payload: {} };
  for (const _ of ["once", "again"]) {
    await post("/v1/sdk/events", logged, 201, { "idempotency-key": key });
    await post("/v1/sdk/events/batch", { events: [logged, logged] }, 201, { "idempotency-key": key });
  }
  for (const query of ["type=path", "status=used", "source_ref=path", "type=path&status=used", ""])
    await get(`/v1/events?limit=2&${query}`);
  await get("/v1/events?occurred_from=2026-01-01T00:00:00Z&occurred_before=2027-01-01T00:00:00Z&status=used");
  const { body: log } = await get("/v1/events?limit=1&type=path");
  await get(`/v1/events?cursor=${encodeURIComponent(log.next_cursor)}&type=path`);
  const [{ stream_event_id: loggedId, stream_id: logStream, seq_no: number }] = log.items;
  await get(`/v1/events/${loggedId}/proof`);
  await post("/v2/audit/packs", { stream_id: logStream, from_seq_no: number, to_seq_no: number });
  await get(`/v1/events/${loggedId}`);
  await get(`/v1/events/${loggedId}/proof`);

  const { body: page } = await get("/v2/streams?limit=1");
  await get(`/v2/streams?limit=1&cursor=${encodeURIComponent(page.next_cursor)}`);
  for (const query of ["use_case=loans", "class=legacy", "use_case=loans&class=legacy", "class=lifecycle"])
    await get(`/v2/streams?${query}`);
  for (const stream of streams) {
    const at = `/v2/streams/${stream}`;
    const { body: events } = await get(`${at}/events?limit=2`);
    await get(`${at}/events?limit=2&cursor=${encodeURIComponent(events.next_cursor)}`);
    for (const query of ["event_type=loan.decided", "source_ref=loan-1", "event_type=loan.decided&source_ref=loan-1"])
      await get(`${at}/events?limit=1&${query}`);
    await get(`${at}/events?from_seq_no=3`);
    await get(`${at}/head`);
    await get(`${at}/proof-state`);
    await get(`${at}/forks`);
    const [{ stream_event_id, seq_no }] = events.items;
    await get(`/v2/receipts/${stream_event_id}`);
    await get(`/v2/receipts/${stream_event_id}?portable=true`);
    await get(`/v2/receipts/${stream_event_id}/tlog-proof`);
    const { body: windows } = await get(`${at}/windows?limit=1`);
    await get(`${at}/windows?limit=1&cursor=${encodeURIComponent(windows.next_cursor)}`);
    const [{ window_id, from_seq_no }] = windows.items;
    await get(`/v2/windows/${window_id}`);
    await get(`/v2/windows/${window_id}?leaves=true`);
    await get(`/v2/windows/${window_id}?event=${from_seq_no}`);
    await get(`/v2/windows/${window_id}?event=${stream_event_id}`, seq_no === from_seq_no ? 200 : 404);
    const { body: checkpoints } = await get(`${at}/checkpoints?limit=1`);
    const { body: rest } = await get(`${at}/checkpoints?cursor=${encodeURIComponent(checkpoints.next_cursor)}`);
    const [{ checkpoint_id: earlier }] = checkpoints.items;
    const { checkpoint_id: later } = rest.items.at(-1);
    await get(`/v2/checkpoints/${later}`);
    await get(`/v2/checkpoints/${later}/note`);
    await get(`/v2/checkpoints/${later}/tlog-policy`);
    await get(`/v2/checkpoints/${later}/consistency?from=${earlier}`);
    await get(`/v2/witness/policies/default?digest=${windows.items[0].witness_policy_digest}`);
  }
  await readEpochs(client, get);
  await get("/v2/forks");
  await get("/v2/ivc/epochs/ivc_none", 404);
  await get("/v2/keys");
  await get("/ready");
  requireAll(used);
}

/** Reads the service log, which must have two epochs soon. */
async function readEpochs(client: Client, get: (path: string, status?: number) => Promise<Answer>): Promise<void> {
  const { items } = await until("the service log has two epochs", async () => {
    const { body } = await client.get("/v2/anchors?limit=2");
    return body.items.length === 2 ? body : null;
  });
  const [{ anchor_epoch_id: first }, { anchor_epoch_id: second }] = items;
  const { body: page } = await get("/v2/anchors?limit=1");
  await get(`/v2/anchors?limit=1&cursor=${encodeURIComponent(page.next_cursor)}`);
  await get(`/v2/anchors/${first}/note`);
  await get("/v2/anchors/latest?checkpoint=chk_none", 404);
  await get(`/v2/anchors/${second}/consistency?from=${first}`);
}

/** The system of a key: the list of its streams shows it. */
async function systemOf(client: Client): Promise<string> {
  const { body } = await client.get("/v2/streams?class=legacy&limit=1");
  return body.items[0].system_id;
}

function expected(answer: Answer, status: number, path: string): Answer {
  assert.equal(answer.status, status, `${path}: ${answer.text}`);
  return answer;
}

/** Throws AssertionError unless each route that records, proves or reads is among those used. */
function requireAll(used: ReadonlySet<string>): void {
  const isUsed = (name: string) => {
    const form = new RegExp(`^${name.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`);
    return [...used].some((one) => form.test(one));
  };
  const wanted = contractsOf({ withMetrics: true }).filter(({ method, path }) =>
    method === "GET" ? !OTHER.test(path) : method === "POST" && RECORDING.includes(path),
  );
  assert.deepEqual(
    wanted.map(({ method, path }) => `${method} ${path}`).filter((name) => !isUsed(name)),
    [],
    "not used: add it here, with every query by which it finds rows",
  );
}
