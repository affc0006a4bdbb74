/** The epochs of the service log as outside witnesses cosign them: they add lines to the note (protocol section 12). */
import { MAX_WITNESS_KEYS } from "@svc/api/limits";
import { type Anchor, cosignatureLine, encodeNoteLine, hexToBytes, parseNote } from "@svc/core";
import type { Context } from "../context.ts";
import type { FedLog, FedNote } from "../feeding/fed-log.ts";
import type { FedWitness } from "../feeding/fed-witness.ts";
import { addNoteLine, epochByNo, epochOfSize, newestEpoch } from "./epochs-store.ts";
import { logState } from "./log-store.ts";
import { consistencyPath } from "./log-tree.ts";

/** How long before its epoch a cosignature may be dated: as long as before a checkpoint. */
const MAX_EARLY_S = 300;

/** An epoch for a witness. */
interface FedEpoch extends FedNote {
  readonly epochNo: number;
  readonly witness: FedWitness;
}

/** The name of this log in messages. */
export const FED_EPOCHS = { name: "service" } as const;

/** Returns the service log as a log to be fed. */
export function fedEpochs({ kernel, issuing }: Context): FedLog<FedEpoch> {
  return {
    ...FED_EPOCHS,
    newest: async (reader, _message, witness) => {
      // Another database may have published more under this origin: witnesses would contradict this one for ever.
      if ((await logState(reader)).closedAt !== null) return null;
      const epoch = await newestEpoch(reader);
      if (epoch === null) throw new Error("the epochs of the service log are missing from the database");
      if (!takesLineBy(witness, epoch)) return null;
      const { origin, epoch_no: epochNo, log_size: treeSize, note, anchored_at } = epoch;
      const before = await epochByNo(reader, epochNo - 1);
      return {
        origin,
        treeSize,
        note,
        probableSize: before?.log_size ?? 0,
        notBefore: Math.floor(Date.parse(anchored_at) / 1000) - MAX_EARLY_S,
        notAfter: null,
        epochNo,
        witness,
      };
    },
    // A size that no epoch has was never published.
    prove: async (reader, { treeSize }, fromSize) =>
      (await epochOfSize(reader, fromSize)) === null
        ? null
        : (await consistencyPath(reader, issuing, fromSize, treeSize)).map(hexToBytes),
    keep: async (writer, _message, { epochNo, witness: { name, publicKeyHex } }, { cosignedAt, signature }) => {
      const line = encodeNoteLine(cosignatureLine(kernel, name, publicKeyHex, cosignedAt, signature));
      await addNoteLine(writer, epochNo, line);
    },
    onKept: () => undefined,
  };
}

/** Returns whether the note of an epoch lacks the line of a witness, and has room for it: nobody reads one of more. */
export function takesLineBy(
  { name, keyId }: Pick<FedWitness, "name" | "keyId">,
  { note }: Pick<Anchor, "note">,
): boolean {
  const lines = parseNote(note)?.lines ?? [];
  return lines.length <= MAX_WITNESS_KEYS && !lines.some((line) => line.name === name && line.keyId === keyId);
}
