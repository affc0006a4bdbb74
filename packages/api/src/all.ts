/** Every contract, in the order of the document and of the page of routes. */
import type { Contract } from "./contract.ts";
import * as docs from "./families/docs.ts";
import * as erasure from "./families/erasure.ts";
import * as eventLog from "./families/event-log.ts";
import * as exports from "./families/exports.ts";
import * as forks from "./families/forks.ts";
import * as keys from "./families/keys.ts";
import * as metrics from "./families/metrics.ts";
import * as packs from "./families/packs.ts";
import * as policies from "./families/policies.ts";
import * as sealing from "./families/sealing.ts";
import * as serviceLog from "./families/service-log.ts";
import * as streams from "./families/streams.ts";
import * as verify from "./families/verify.ts";
import * as verifyPage from "./families/verify-page.ts";

const BEFORE_METRICS: readonly Contract[] = [
  streams.create,
  streams.append,
  streams.appendBatch,
  streams.list,
  streams.events,
  streams.head,
  sealing.proofState,
  streams.receipt,
  streams.tlogProof,
  eventLog.append,
  eventLog.proof,
  eventLog.appendBatch,
  eventLog.list,
  eventLog.event,
  erasure.erase,
  packs.create,
  exports.create,
  exports.list,
  exports.get,
  exports.prepareDownload,
  exports.download,
  exports.reportVerification,
  exports.remove,
  sealing.window,
  sealing.checkpoint,
  sealing.note,
  sealing.tlogPolicy,
  serviceLog.anchors,
  serviceLog.anchor,
  serviceLog.anchorNote,
  serviceLog.anchorConsistency,
  sealing.epoch,
  sealing.windows,
  sealing.checkpoints,
  sealing.consistency,
  policies.policy,
  policies.declare,
  forks.list,
  forks.ofLog,
  verify.verify,
  verify.verifyReceipt,
  verify.verifyProof,
  forks.handIn,
  verifyPage.page,
  keys.keys,
  keys.health,
  keys.ready,
];
const BEHIND_METRICS: readonly Contract[] = [docs.front, docs.document, docs.page];

/** Returns the contracts of the main port. `withMetrics`: whether it serves the metrics too. */
export function contractsOf({ withMetrics }: { readonly withMetrics: boolean }): readonly Contract[] {
  return [...BEFORE_METRICS, ...(withMetrics ? [metrics.metrics] : []), ...BEHIND_METRICS];
}
