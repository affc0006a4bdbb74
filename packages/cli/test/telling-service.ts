/** A service in memory that answers a monitor from whatever history a test lets it tell. Its evidence is the test's. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import {
  type Bundle,
  type Checkpoint,
  issueConsistency,
  portableReceiptOf,
  referenceKernel,
  windowHash,
} from "@svc/core";
import { bundleOf, type Evidence } from "@svc/testkit/evidence/service";

const kernel = referenceKernel;

/** A service, and what it is made to do. */
export interface TellingService {
  readonly url: string;
  /** The paths that were asked for, and what was sent there. */
  readonly asked: string[];
  /** Tells a history up to so many checkpoints; all by default. */
  tell(history: Evidence, checkpoints?: number): Promise<void>;
  /** Answers a path that begins like this in another way; null to answer as usual again. */
  answer(path: string, does: ((response: ServerResponse) => void) | null): void;
}

interface Told {
  readonly history: Evidence;
  readonly checkpoints: readonly Checkpoint[];
  /** Null without checkpoints. */
  readonly bundle: Bundle | null;
}

/** Starts it. */
export async function tellingService(t: TestContext): Promise<TellingService> {
  let told: Told | null = null;
  const odd = new Map<string, (response: ServerResponse) => void>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const path = request.url ?? "";
      asked.push(`${path} ${body}`);
      const [, does] = [...odd].find(([start]) => path.startsWith(start)) ?? [];
      if (does !== undefined) return does(response);
      const value = told === null ? null : answerOf(told, new URL(path, "http://x"));
      response.writeHead(value === null ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(value ?? { detail: { code: "checkpoint_not_found", message: "None." } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    tell: async (history, count = history.checkpoints.length) => {
      const checkpoints = history.checkpoints.slice(0, count);
      const last = checkpoints.at(-1);
      const bundle =
        last === undefined
          ? null
          : await bundleOf({
              ...history,
              records: history.records.slice(0, last.to_seq_no),
              windows: history.windows.slice(0, last.window_count),
              checkpoints,
            });
      told = { history, checkpoints, bundle };
    },
    answer: (path, does) => {
      if (does === null) odd.delete(path);
      else odd.set(path, does);
    },
  };
}

function answerOf({ history, checkpoints, bundle }: Told, { pathname, searchParams }: URL): unknown {
  const last = checkpoints.at(-1);
  const [, family, id = "", part] = /^\/v2\/(\w+)\/([^/]+)(?:\/([\w-]+))?$/.exec(pathname) ?? [];
  const named = (wanted: string | null) => checkpoints.find(({ checkpoint_id }) => checkpoint_id === wanted);
  if (family === "receipts") {
    const record = history.records.find(({ stream_event_id }) => stream_event_id === id);
    const isCovered = record !== undefined && record.seq_no <= (last?.to_seq_no ?? 0);
    return bundle === null || !isCovered ? null : portableReceiptOf(kernel, bundle, record.seq_no);
  }
  if (part === "proof-state") return { stream_id: id, latest_checkpoint_id: last?.checkpoint_id ?? null };
  if (part === "checkpoints") return { items: checkpoints, next_cursor: null };
  if (part === "events")
    return {
      items: history.records.filter(({ seq_no }) => seq_no >= Number(searchParams.get("from_seq_no"))).slice(0, 1),
    };
  const checkpoint = named(id);
  if (part !== "consistency" || checkpoint === undefined) return checkpoint ?? null;
  const from = named(searchParams.get("from"));
  const hashes = history.windows.slice(0, checkpoint.window_count).map((window) => windowHash(kernel, window));
  return from === undefined ? null : issueConsistency(kernel, from, checkpoint, hashes);
}
