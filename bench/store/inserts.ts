/**
 * The yardstick of `bench store`: a bare script that inserts rows of the size of ours into a table with the indexes of
 * ours, a thousand by one statement, on as many connections as there are clients. It prints one JSON object.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { eventOf } from "../server/event.ts";

// The driver is a dependency of the host's.
const { Client } = createRequire(new URL("../../packages/host/package.json", import.meta.url))(
  "pg",
) as typeof import("pg");
const BATCH = 1000;
const COLUMNS = 8;

const { url, clients, seconds } = JSON.parse(process.argv[2] ?? "") as {
  url: string;
  clients: number;
  seconds: number;
};
const setUp = new Client(url);
await setUp.connect();
await setUp.query(`DROP TABLE IF EXISTS plain; CREATE TABLE plain (id TEXT PRIMARY KEY, stream TEXT NOT NULL, no BIGINT NOT NULL, ref TEXT, type TEXT,
  at TEXT, payload TEXT, proof TEXT, UNIQUE (stream, no)); CREATE INDEX plain_by_ref ON plain (stream, ref, no); CREATE INDEX plain_by_type ON plain (stream, type, no)`);
await setUp.end();

let rows = 0;
const start = performance.now();
await Promise.all(Array.from({ length: clients }, (_, client) => insert(client)));
console.log(JSON.stringify({ rows, seconds: (performance.now() - start) / 1000 }));

async function insert(client: number): Promise<void> {
  const connection = new Client(url);
  await connection.connect();
  const places = Array.from(
    { length: BATCH },
    (_, row) => `(${Array.from({ length: COLUMNS }, (_, column) => `$${row * COLUMNS + column + 1}`).join()})`,
  );
  const sql = `INSERT INTO plain VALUES ${places.join()}`;
  for (let no = 0; performance.now() - start < 1000 * seconds; ) {
    const values: (string | number)[] = [];
    for (let row = 0; row < BATCH; row++, no++) {
      const { source_ref, event_type, occurred_at, payload } = eventOf(no);
      // As many characters as the hashes and the signature of a receipt.
      const proof = randomBytes(200).toString("hex");
      values.push(
        randomUUID(),
        `stream-${client}`,
        no,
        source_ref,
        event_type,
        occurred_at,
        JSON.stringify(payload),
        proof,
      );
    }
    await connection.query(sql, values);
    rows += BATCH;
  }
  await connection.end();
}
