/**
 * Witness statements, which show who else has seen a checkpoint (protocol section 10). A statement carries the same
 * C2SP signature as a cosignature line of the note; cosignatures.ts counts both.
 */

import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { cosignedBytes } from "../note/cosignature.ts";
import { checkpointText } from "../note/signed-note.ts";
import { ASK_CHECKPOINT } from "../own-actions.ts";
import type { Examination } from "../report/examination.ts";
import { CheckpointId, Closed, Hash, Ordinal, Signature, type SignatureHex, Slug, StreamId } from "../schema/atoms.ts";
import type * as Type from "../schema/type.ts";
import type { Signer } from "../seal.ts";
import { type Checkpoint, checkpointHash } from "./checkpoint.ts";
import type { WitnessKey } from "./policy.ts";

/**
 * The statement of a witness that it has seen a checkpoint (protocol section 10). As JSON, shortened:
 *
 * ```json
 * {"witness_id":"managed","key_epoch":1,"stream_id":"str_01k3…","checkpoint_id":"chk_01k3…",
 *  "checkpoint_hash":"f1726c…","window_count":4,"checkpoint_root":"95669f…","cosigned_at":1772323213,
 *  "signature":"1a5a78…"}
 * ```
 */
export const WitnessStatement = Closed(
  {
    witness_id: Slug,
    key_epoch: Ordinal,
    stream_id: StreamId,
    checkpoint_id: CheckpointId,
    checkpoint_hash: Hash,
    window_count: Ordinal,
    checkpoint_root: Hash,
    cosigned_at: Ordinal,
    signature: Signature,
  },
  { $id: "witness-statement" },
);
export type WitnessStatement = Type.Static<typeof WitnessStatement>;

/**
 * Cosigns a checkpoint (protocol section 10). `signer`: the witness's key. `witness`: its id and key epoch in the
 * witness policy. `cosignedAt`: Unix seconds, 1 to 2^53-1. Resolves to the statement; rejects as `signer.sign` does. It
 * checks nothing: a witness must first make sure that the checkpoint extends the one that it signed before.
 *
 * @example
 * const witness = { witness_id: "w1", key_epoch: 1 };
 * const statement = await issueWitnessStatement(kernel, signer, witness, checkpoint, 1772357412);
 * console.log(statement.checkpoint_hash === checkpointHash(kernel, checkpoint)); // true
 */
export async function issueWitnessStatement(
  kernel: Kernel,
  signer: Signer,
  witness: Pick<WitnessKey, "witness_id" | "key_epoch">,
  checkpoint: Checkpoint,
  cosignedAt: number,
): Promise<WitnessStatement> {
  const { stream_id, checkpoint_id, window_count, checkpoint_root, origin } = checkpoint;
  const text = checkpointText(origin, window_count, hexToBytes(checkpoint_root));
  return {
    witness_id: witness.witness_id,
    key_epoch: witness.key_epoch,
    stream_id,
    checkpoint_id,
    checkpoint_hash: checkpointHash(kernel, checkpoint),
    window_count,
    checkpoint_root,
    cosigned_at: cosignedAt,
    signature: encodeHex(await signer.sign(cosignedBytes(cosignedAt, text))) as SignatureHex,
  };
}

/**
 * Examines a standalone statement. Its signature covers the origin, which a statement does not hold: alone it cannot be
 * checked.
 */
export function examineStandaloneStatement(exam: Examination, statement: WitnessStatement): void {
  exam.subject = { id: null, stream_id: statement.stream_id };
  exam.cannotEvaluate("witness", "a bare statement lacks the origin that its signature covers");
  exam.distrust(
    {
      code: "key_not_pinned",
      path: "",
      message: "A bare witness statement has nothing signed around it: it needs the checkpoint that it names.",
      ownAction: ASK_CHECKPOINT,
    },
    "witness",
  );
}
