/** One file, by several threads where it is large enough for that to pay. */
import { type Kernel, type Report, type VerifyOptions, verify, verifyWithHelpers } from "@svc/core";
import { LARGE_BYTES } from "./check.ts";
import { Thread } from "./thread.ts";

/** The report that `verify` gives. The receipts of a large bundle are checked by so many threads together, this one counted. */
export async function verifyLarge(
  bytes: Uint8Array,
  options: VerifyOptions & { readonly kernel: Kernel },
  jobs: number,
): Promise<Report> {
  if (bytes.length < LARGE_BYTES || jobs < 2) return verify(bytes, options);
  const threads = Array.from({ length: jobs - 1 }, () => Thread.forParts(options.kernel.name));
  try {
    const helpers = threads.map((thread) => (work: Parameters<typeof thread.ask>[0]) => thread.ask(work));
    return await verifyWithHelpers(bytes, options, helpers);
  } finally {
    await Promise.all(threads.map((thread) => thread.stop()));
  }
}
