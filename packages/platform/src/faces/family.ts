/** The faces of people: which ports are theirs alone. Their pages are of other families. */
import { facePortSettings, type ServerFamily } from "@svc/server/program";

/** The family of faces. */
export const faces = {
  name: "faces",
  settings: facePortSettings,
} satisfies ServerFamily;
