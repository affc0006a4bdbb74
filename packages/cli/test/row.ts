/**
 * A stream of twenty loan decisions exported in two months, and the same stream told differently from event 9 on: the
 * input of the commands that look into evidence, cut it and compare it.
 */
import {
  type Bundle,
  type Checkpoint,
  type Consistency,
  findFork,
  issueConsistency,
  type Json,
  kidOf,
  type PortableReceipt,
  portableReceiptOf,
  referenceKernel,
  windowHash,
} from "@svc/core";
import { bundleOf, type Evidence, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { KEY, put } from "./svc.ts";

const told = await issueStream(20);
const retold = await issueStream(20, { forkedAt: 9 });

/** Resolves to the bundle over windows `first` to `last` of a stream of four events a window. */
export function monthOf(evidence: Evidence, first: number, last: number): Promise<Bundle> {
  const { records, windows, checkpoints } = evidence;
  return bundleOf(
    {
      ...evidence,
      records: records.filter(({ seq_no }) => seq_no <= last * 4),
      windows: windows.slice(0, last),
      checkpoints: checkpoints.filter(({ window_count }) => window_count <= last),
    },
    first,
  );
}

/** Events 1 to 16. */
export const march: Bundle = await monthOf(told, 1, 4);
/** Events 1 to 8. */
export const firstBundle: Bundle = await monthOf(told, 1, 2);
/** Events 17 to 20. */
export const april: Bundle = await monthOf(told, 5, 5);
/** Events 1 to 20, another history from event 9 on. */
export const retoldBundle: Bundle = await monthOf(retold, 1, 5);
/** Events 17 to 20 of the other history. */
export const retoldApril: Bundle = await monthOf(retold, 5, 5);

/** The portable receipt of event 5. */
export const portable: PortableReceipt = portableReceiptOf(referenceKernel, march, 5);
/** From the newest checkpoint of March to that of April. */
export const marchToApril: Consistency = {
  ...issueConsistency(
    referenceKernel,
    march.artifacts["checkpoints.json"].at(-1) as Checkpoint,
    april.artifacts["checkpoints.json"].at(-1) as Checkpoint,
    told.windows.map((window) => windowHash(referenceKernel, window)),
  ),
  key_hints: march.key_hints,
};
/** Evidence of two histories. */
export const fork: Json = findFork(march, retoldBundle, {
  fork_id: "frk_01k30000000000000000000001",
  detected_at: "2026-04-01T08:00:00.000Z",
  kernel: referenceKernel,
});

/** Writes them into the folder of the calls, with a trust file that pins their key. */
export function putRow(): void {
  put("march.bundle.json", march);
  put("april.bundle.json", april);
  put("retold.bundle.json", retoldBundle);
  put("retold-april.bundle.json", retoldApril);
  put("loan-1005.portable.json", portable);
  put("march-to-april.json", marchToApril);
  put("fork.json", fork);
  const { payload, payload_salt, ...rest } = portable.receipt;
  put("loan-1005.redacted.json", rest);
  put("loan-1005.payload.json", { payload, payload_salt });
  put("loan-1005.bare.json", payload);
  put("acme.trust.json", { signers: [{ kid: kidOf(referenceKernel, SERVICE.publicKeyHex), public_key_hex: KEY }] });
}
