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
  meaning: "The operator goes on after a loss, of whatever tenant; so many streams of this one were closed.",
  // The event or the stream that showed the loss may be another tenant's: the audit log alone names it.
  schema: Type.Object({ closed_streams: Type.Integer() }),
  object: "tnt_01m8s5k0qp812m6w41g70vhyct",
  after: { closed_streams: 2 },
});
