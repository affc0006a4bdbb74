/**
 * The requests to time, in kinds that must look alike: unknown ids, those of another tenant, and invalid credentials.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Program, Running } from "../program.ts";
import { type Api, read, write } from "../requests.ts";
import type { Seeded } from "../seeded.ts";
import { must } from "../violation.ts";

const STREAMS = 10;
const EVENTS = 30;
const EXPORTS = 5;
const LOOK_MS = 20;
const DAY_MS = 86_400_000;
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";

/** A request of one kind, and its credential. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | null;
}

/** Requests that must get one answer, in the same time: the control twice, so that it is also compared with itself. */
export interface Subject {
  readonly name: string;
  readonly control: () => Asked;
  readonly kinds: Readonly<Record<string, () => Asked>>;
}

/** Makes a deployment with two tenants, and serves it. Throws Violation. */
export async function makeSubjects(
  program: Program,
  folder: string,
  random: Seeded,
): Promise<{ readonly running: Running; readonly subjects: readonly Subject[] }> {
  const command = async (...words: string[]) => {
    const { code, out, err } = await program.run([...words, "--data", folder, "--json"]);
    must(code === 0, `${words.join(" ")} ends with ${code}: ${err}`);
    return JSON.parse(out);
  };
  const made = await command("init", "--origin", "chaos.example/timing");
  const tenant = await command("tenants", "create", "--name", "Other");
  const system = await command("systems", "create", "--name", "Theirs", "--tenant", tenant.tenant_id);
  const theirKey = (await command("keys", "create", "--system", system.system_id)).api_key;
  const revoked = (await command("keys", "create", "--system", made.system_id)).api_key;
  await command("keys", "revoke", `key_${revoked.split("_")[2]}`);
  const expired = (await command("keys", "create", "--system", made.system_id, "--days", "1")).api_key;
  const running = await program.mustStart(folder, { clockMs: 2 * DAY_MS });
  const own = { url: running.url, apiKey: made.api_key };
  const theirs = await fill({ url: running.url, apiKey: theirKey }, system.system_id, "theirs");
  const ours = await fill(own, made.system_id, "ours");
  const bearer = `Bearer ${made.api_key}`;
  const ask = (paths: readonly string[], change: (path: string) => string) => () => ({
    path: change(random.pick(paths)),
    authorization: bearer,
  });
  const byId = (name: string, paths: readonly string[]): Subject => ({
    name,
    control: ask(paths, absent),
    kinds: { absent: ask(paths, absent), "of another tenant": ask(paths, (path) => path) },
  });
  const credential = (key: () => string) => () => ({ path: "/v2/streams", authorization: `Bearer ${key()}` });
  const unknown = credential(() => absentKey(made.api_key));
  const ticket = (path: string, token: string) => ({ path: `${path}/download?ticket=${token}`, authorization: null });
  const newToken = () => randomBytes(32).toString("base64url");
  const foreignTicket = () => {
    const { exportId, token } = random.pick(theirs.tickets);
    const others = [...ours.exports, ...theirs.exports].filter((path) => !path.endsWith(exportId));
    return ticket(random.pick(others), token);
  };
  const subjects: readonly Subject[] = [
    // First, because tickets expire.
    {
      name: "tickets",
      control: () => ticket(absent(random.pick(theirs.exports)), newToken()),
      kinds: {
        "unknown, of no export": () => ticket(absent(random.pick(theirs.exports)), newToken()),
        "unknown, of an export": () => ticket(random.pick(theirs.exports), newToken()),
        "of another export": foreignTicket,
      },
    },
    byId("streams", theirs.streams),
    byId("receipts", theirs.receipts),
    byId("exports", theirs.exports),
    {
      name: "credentials",
      control: unknown,
      kinds: {
        "unknown id": unknown,
        "wrong secret": credential(() => withSecret(made.api_key, newToken())),
        "of another tenant, wrong secret": credential(() => withSecret(theirKey, newToken())),
        revoked: credential(() => revoked),
        "revoked, wrong secret": credential(() => withSecret(revoked, newToken())),
        expired: credential(() => expired),
      },
    },
  ];
  return { running, subjects };
}

async function fill(api: Api, systemId: string, name: string) {
  const streams: string[] = [];
  const receipts: string[] = [];
  const exports: string[] = [];
  const tickets: { readonly exportId: string; readonly token: string }[] = [];
  let count = 0;
  const make = async (path: string, value: unknown) => {
    count += 1;
    const body = value === "" ? "" : JSON.stringify(value);
    const answer = await write(api, { path, body, idempotencyKey: `${name}-${count}` });
    must(answer?.status === 201, `${path} is answered with ${answer?.status}: ${answer?.text}`);
    return JSON.parse(answer.text);
  };
  for (let number = 0; number < STREAMS; number++) {
    const request = { system_id: systemId, use_case: "loans", policy_id: "default", metadata: {} };
    const { stream_id } = await make("/v2/streams", request);
    streams.push(`/v2/streams/${stream_id}/head`);
    const event = { source_ref: "loan", event_type: "loan.decided", occurred_at: "2026-03-01T10:15:30Z", payload: {} };
    const made = await make(`/v2/streams/${stream_id}/events/batch`, { events: Array(EVENTS).fill(event) });
    for (const record of made.receipts) receipts.push(`/v2/receipts/${record.stream_event_id}`);
    if (number >= EXPORTS) continue;
    const { export_id } = await make("/v1/exports", { streams: [stream_id] });
    const path = `/v1/exports/${export_id}`;
    exports.push(path);
    while (JSON.parse((await read(api, path))?.text ?? "{}").state !== "ready") await pause(LOOK_MS);
    tickets.push({ exportId: export_id, token: (await make(`${path}/download/prepare`, "")).ticket });
  }
  return { streams, receipts, exports, tickets };
}

/** Returns the same request for an id of the same time that nobody has. */
function absent(path: string): string {
  return path.replace(/(_[0-9a-z]{10})[0-9a-z]{16}/, (_, time) => time + letters(16));
}

function absentKey(key: string): string {
  const [, , id = ""] = key.split("_");
  return withSecret(`svc_sk_${id.slice(0, 10)}${letters(16)}`, randomBytes(32).toString("base64url"));
}

function withSecret(key: string, secret: string): string {
  return `${key.split("_").slice(0, 3).join("_")}_${secret}`;
}

function letters(count: number): string {
  return [...randomBytes(count)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}
