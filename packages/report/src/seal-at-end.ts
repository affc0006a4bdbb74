/** What words about a verified bundle need of it, without building all of its events as a value, which takes as long as verifying it. */
import type { Kernel, Report } from "@svc/core";
import { decodeEvidence, type Evidence } from "./evidence.ts";

/** More than a seal takes, however it is laid out. */
const TAIL_BYTES = 2048;

/**
 * The last member of the whole, if it is a seal: the text ends with the end of the whole, and right before it with that of an object
 * that holds no other. True of any JSON, and so of what was verified.
 */
const SEAL_AT_END = /[,{]\s*"seal"\s*:\s*(\{[^{}]*\})\s*\}\s*$/;

/** The evidence to show beside a report: of a verified bundle that ends with its seal, the seal alone; of anything else, all of it. */
export function evidenceBeside({ verdict, kind }: Report, kernel: Kernel, bytes: Uint8Array): Evidence {
  if (verdict === "verified" && kind === "bundle") {
    const tail = new TextDecoder().decode(bytes.subarray(-TAIL_BYTES));
    const [, seal] = SEAL_AT_END.exec(tail) ?? [];
    const parsed = seal === undefined ? null : kernel.parseJson(new TextEncoder().encode(`{"seal":${seal}}`));
    if (parsed?.ok) return { bytes, value: parsed.value, kind };
  }
  return decodeEvidence(kernel, bytes);
}
