/** The types of the events about erasures. */
import Type from "typebox";
import { evidenceType } from "../lifecycle/lifecycle-stream.ts";

/** A payload was erased. */
export const eventErased = evidenceType({
  name: "event.erased",
  meaning: "The payload of an event was erased; the event itself stays, with its hash.",
  payload: Type.Object({
    stream_id: Type.String(),
    stream_event_id: Type.String(),
    seq_no: Type.Integer(),
    event_hash: Type.String(),
    reason: Type.String(),
    actor: Type.Object({ kind: Type.String(), id: Type.String() }),
  }),
  example: {
    stream_id: "str_01m8s5k0r459e56bgepmd2r059",
    stream_event_id: "sev_01m8s5nmnwrvbsvvcm52t2e8ms",
    seq_no: 7,
    event_hash: "8c".repeat(32),
    reason: "retention period ended",
    actor: { kind: "system", id: "sys_01m8s5k0qqs1bbzzfc8tpfxabs" },
  },
});
