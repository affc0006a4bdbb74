/** The content of a database in a few figures, by which its copy is recognised: all SQL about it. */
import { createHash } from "node:crypto";
import { type Reader, schemaVersion } from "@svc/host/store";
import { newestEvent } from "../high-water-mark/mark-store.ts";
import { type SigningKeyRow, serviceRow, signingKeys } from "../signing/service-store.ts";

const PORTION = 1000;

/** The figures of a whole deployment. */
export interface Contents {
  readonly origin: string;
  readonly signing_keys: SigningKeyRow[];
  readonly schema_version: number;
  readonly streams: number;
  readonly events: number;
  readonly erasures: number;
  /** The event that was recorded last, or null. */
  readonly last_event: { readonly stream_event_id: string; readonly received_at: string } | null;
  /** SHA-256 over a line `stream_id head_seq_no head_event_hash` for each stream, in order of their ids. */
  readonly heads_sha256: string;
}

/** Resolves to the figures, all from the reader's snapshot. */
export async function contentsOf(reader: Reader): Promise<Contents> {
  const erasures = await reader.first<{ erasures: number }>("SELECT COUNT(*) AS erasures FROM erasures");
  const last = await newestEvent(reader);
  const hash = createHash("sha256");
  let [streams, events, after] = [0, 0, ""];
  for (;;) {
    const heads = await reader.all<{ stream_id: string; head_seq_no: number; head_event_hash: string }>(
      "SELECT stream_id, head_seq_no, head_event_hash FROM streams WHERE stream_id > $1 ORDER BY stream_id LIMIT $2",
      after,
      PORTION,
    );
    for (const { stream_id, head_seq_no, head_event_hash } of heads) {
      hash.update(`${stream_id} ${head_seq_no} ${head_event_hash}\n`);
      streams += 1;
      events += head_seq_no;
    }
    const end = heads.at(-1);
    if (end === undefined) break;
    after = end.stream_id;
  }
  return {
    origin: (await serviceRow(reader))?.evidence_origin ?? "",
    signing_keys: await signingKeys(reader),
    schema_version: await schemaVersion(reader),
    streams,
    events,
    erasures: erasures?.erasures ?? 0,
    last_event: last === null ? null : { stream_event_id: last.stream_event_id, received_at: last.received_at },
    heads_sha256: hash.digest("hex"),
  };
}
