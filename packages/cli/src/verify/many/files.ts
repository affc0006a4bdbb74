/** Many files, divided among this thread and others; the results come back in the order of the names. */

import { usualJobs } from "../jobs.ts";
import type { Kernels } from "../kernels.ts";
import { type Checked, checkFiles, type HowToCheck } from "./check.ts";
import { inOrder, type Taker } from "./in-order.ts";
import { verifyLarge } from "./large.ts";
import type { Named } from "./named.ts";
import { Thread } from "./thread.ts";

/** To start a thread takes about as long as to check so many receipts. */
const FILES_FOR_A_THREAD = 1024;
/** At most so many files make a share: enough signatures to be checked together, and little to wait for at the end. */
const SHARE = 256;

/**
 * Yields the result of each entry. `jobs` is the number of threads, this one counted; undefined if the call names none.
 */
export async function* checkAll(
  named: readonly Named[],
  kernels: Kernels,
  how: HowToCheck,
  jobs: number | undefined,
): AsyncGenerator<Checked> {
  const [kernel, other] = kernels;
  const most = Math.max(1, Math.floor(named.length / FILES_FOR_A_THREAD));
  const wanted = jobs ?? (most > 1 ? Math.min(await usualJobs(), most) : 1);
  const count = other === undefined ? Math.min(wanted, named.length) : 1;
  const threads = await Promise.all(Array.from({ length: count - 1 }, () => Thread.forFiles(kernel.name, how)));
  // If files are checked one by one, several threads check a large one.
  const large = (bytes: Uint8Array) => verifyLarge(bytes, { ...how.settings, kernel }, jobs);
  const here: Taker<readonly Named[], Checked[]> = async (share) => {
    // Messages of other threads come in meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    return checkFiles(kernels, share, how, count === 1 && other === undefined ? large : undefined);
  };
  // Each thread twice: it has its next share before the last one is fetched.
  const others = threads.flatMap((thread) => Array.from({ length: 2 }, () => thread.ask.bind(thread)));
  try {
    for await (const checked of inOrder(sharesOf(named, count), [here, ...others])) yield* checked;
  } finally {
    await Promise.all(threads.map((thread) => thread.stop()));
  }
}

/** Makes so many shares that no thread is without work while another has much of it. */
function sharesOf(named: readonly Named[], threads: number): (readonly Named[])[] {
  const size = Math.min(SHARE, Math.ceil(named.length / (4 * threads)));
  return Array.from({ length: Math.ceil(named.length / size) }, (_, at) => named.slice(at * size, (at + 1) * size));
}
