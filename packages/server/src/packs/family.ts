/** Evidence to take away: receipts, portable receipts and audit packs. */

import { packs as contracts, streams } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { idempotencyOf } from "../idempotency/idempotency.ts";
import { ReadStream } from "../streams/read-stream.ts";
import { checkBundles } from "./check-bundles.ts";
import { CreatePack } from "./create-pack.ts";
import { packRecordsPart } from "./pack-records.ts";
import {
  packArchivedRead,
  packChoiceRead,
  packRead,
  portableReceiptRead,
  tlogProofRead,
  wholeReceiptRead,
} from "./reads.ts";
import { packRoutes } from "./routes.ts";

/** The family of packs and receipts. */
export const packs = {
  name: "packs",
  contracts: [contracts.create, streams.receipt, streams.tlogProof],
  parts: [packRecordsPart],
  reads: [portableReceiptRead, wholeReceiptRead, tlogProofRead, packChoiceRead, packArchivedRead, packRead],
  open: (context) => ({
    routes: packRoutes({
      createPack: new CreatePack(context, idempotencyOf(context)),
      readStream: new ReadStream(context),
      readings: context.readings,
      fetched: async (row) => (await context.archived.restored(context.database, [row]))[0] ?? row,
    }),
  }),
  check: checkBundles,
} satisfies ServerFamily;
