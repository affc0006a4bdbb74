/** Batches that are only sent: the yardstick of the append queues. */
import { loaded, type OurServer } from "../server/programs.ts";

export const BATCH = 1000;
const BATCH_CLIENTS = 4;
export const RAW_RATE = `batches of ${BATCH}, ${BATCH_CLIENTS} clients`;

/** Resolves to the rate of receipts whose answers are only counted, the load of `bench server`. */
export async function rawRate(ours: OurServer, streamId: string, seconds: number): Promise<number> {
  const paths = [`/v2/streams/${streamId}/events/batch`];
  const load = { port: ours.port, apiKey: ours.apiKey, clients: BATCH_CLIENTS, seconds, batch: BATCH, file: null };
  const { requests, seconds: took } = await loaded({ ...load, paths });
  return (requests * BATCH) / took;
}

/** Resolves to the number of events in a stream. */
export async function eventsIn(ours: OurServer, streamId: string): Promise<number> {
  const head = await fetch(`http://127.0.0.1:${ours.port}/v2/streams/${streamId}/head`, {
    headers: { authorization: `Bearer ${ours.apiKey}` },
  });
  return ((await head.json()) as { seq_no: number }).seq_no;
}
