/** Walks over all streams of a database for a check, each in a new snapshot: a server beside it continues meanwhile. */
import type { Fault } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";
import type { CheckContext } from "../check-context.ts";
import { checkTrust } from "../keys/check-trust.ts";
import { countStreams, rawStreams } from "./rows-store.ts";
import type { StreamRow } from "./streams-store.ts";

/**
 * Yields the faults that `check` finds in each stream, in order of their ids. A stream that cannot be read is a fault
 * too.
 */
export async function* eachStream(
  context: CheckContext,
  check: (snapshot: CheckContext, stream: StreamRow) => AsyncIterable<Fault>,
): AsyncGenerator<Fault> {
  const { database, origin, signer, onStep } = context;
  const count = await database.read(countStreams);
  let after = "";
  for (let number = 1; ; number++) {
    const { stream, faults } = await database.read(async (reader) => {
      const [stream] = await rawStreams(reader, after, 1);
      const snapshot = {
        ...context,
        // A key that began to seal during the check is one of these.
        ...(await checkTrust(reader, origin, signer)),
        database: { read: <T>(work: (of: Reader) => Promise<T>) => work(reader) },
        // Streams that a server makes meanwhile come behind the counted ones.
        onStep: (words: string) => onStep(`stream ${number} of ${Math.max(number, count)}${words}`),
      };
      return { stream, faults: stream === undefined ? [] : await faultsOf(check(snapshot, stream), stream) };
    });
    yield* faults;
    if (stream === undefined) return;
    after = stream.stream_id;
  }
}

async function faultsOf(checking: AsyncIterable<Fault>, { stream_id }: StreamRow): Promise<Fault[]> {
  const faults: Fault[] = [];
  try {
    for await (const fault of checking) faults.push(fault);
  } catch (error) {
    const fault = `what belongs to it cannot be read: ${(error as Error).message}`;
    faults.push({ table: "streams", row: { stream_id }, fault });
  }
  return faults;
}
