/** Verifies one file by several threads, if it is large enough for that to pay. */
import { type Kernel, type Report, type VerifyOptions, verify, verifyWithHelpers } from "@svc/core";
import { usualJobs } from "../jobs.ts";
import { LARGE_BYTES } from "./check.ts";
import { Thread } from "./thread.ts";

/**
 * Resolves to the report of `verify`. So many threads check the receipts of a large bundle together, this one counted;
 * by default as many as usual.
 */
export async function verifyLarge(
  bytes: Uint8Array,
  options: VerifyOptions & { readonly kernel: Kernel },
  wanted: number | undefined,
): Promise<Report> {
  const jobs = bytes.length < LARGE_BYTES ? 1 : (wanted ?? (await usualJobs()));
  if (jobs < 2) return verify(bytes, options);
  const threads = await Promise.all(Array.from({ length: jobs - 1 }, () => Thread.forParts(options.kernel.name)));
  try {
    const helpers = threads.map((thread) => (work: Parameters<typeof thread.ask>[0]) => thread.ask(work));
    return await verifyWithHelpers(bytes, options, helpers);
  } finally {
    await Promise.all(threads.map((thread) => thread.stop()));
  }
}
