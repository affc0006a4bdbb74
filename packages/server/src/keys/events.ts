/** The types of the events about the key that seals. */
import { administrationType } from "@svc/host/administration";
import Type from "typebox";

/** Another key seals. */
export const signingKeyRotated = administrationType({
  name: "signing_key.rotated",
  meaning: "Another key seals from that time on, endorsed by the one before it.",
  schema: Type.Object({ replaces: Type.String(), valid_from: Type.String() }),
  object: "ed25519-c5c9091464ab4f97",
  after: { replaces: "ed25519-11aa22bb33cc44dd", valid_from: "2026-12-01T16:05:42.716Z" },
});
