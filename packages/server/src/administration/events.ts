/** The types of the events about the administration as a whole. */
import { administrationType } from "@svc/host/administration";
import Type from "typebox";

/** A key was refused. */
export const administrationRefused = administrationType({
  name: "administration.refused",
  meaning: "A key tried an action that is granted only by name, and that it does not have.",
  schema: Type.Object({ action: Type.String(), route: Type.String(), code: Type.String() }),
  object: "key_01m8s5k0r0fg45prqd9z2gb42e",
  after: { action: "erase", route: "POST /v2/streams/{streamId}/events/{eventId}/erase", code: "action_forbidden" },
});

/** A loss was accepted. */
export const lossAccepted = administrationType({
  name: "service.loss_accepted",
  meaning: "The operator goes on after a loss, with what showed it; so many streams of the tenant were closed.",
  schema: Type.Object({
    closed_streams: Type.Integer(),
    lost_event_id: Type.Optional(Type.String()),
    lost_event_hash: Type.Optional(Type.String()),
    restored_backup_of: Type.Optional(Type.String()),
    missing_progress_file: Type.Optional(Type.String()),
    lost_checkpoint_of: Type.Optional(Type.String()),
    lost_window_count: Type.Optional(Type.Integer()),
    lost_epoch_of_size: Type.Optional(Type.Integer()),
  }),
  object: "tnt_01m8s5k0qp812m6w41g70vhyct",
  after: { closed_streams: 2, restored_backup_of: "2026-11-30T02:00:00.000Z" },
});
