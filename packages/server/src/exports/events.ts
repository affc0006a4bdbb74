/** The types of the events about exports and their packages. */
import { administrationType } from "@svc/host/administration";
import Type from "typebox";
import { evidenceType } from "../lifecycle/lifecycle-stream.ts";

const EXPORT = "exp_01m8s5k0r459e56bgepmd2r059";
const ACCESS = "tpa_01m8s5k0r459e56bgepmd2r059";
const [PACKAGE, MANIFEST] = ["1a".repeat(32), "2b".repeat(32)];
const ACTOR = { kind: "system", id: "sys_01m8s5k0qqs1bbzzfc8tpfxabs" };

const Text = Type.String();
const TextOrNull = Type.Union([Text, Type.Null()]);
const Actor = Type.Object({ kind: Text, id: Text });
const Range = Type.Object({ stream_id: Text, from_seq_no: Type.Integer(), to_seq_no: Type.Integer() });
const RANGE = { stream_id: "str_01m8s5k0r459e56bgepmd2r059", from_seq_no: 1, to_seq_no: 4 };

/** An export was asked for. */
export const exportCreated = administrationType({
  name: "export.created",
  meaning: "An export was asked for.",
  schema: Type.Object({ payloads: Text, ranges: Type.Array(Range) }),
  object: EXPORT,
  after: { payloads: "included", ranges: [RANGE] },
});

/** An export was ended. */
export const exportDeleted = administrationType({
  name: "export.deleted",
  meaning: "The package of an export is kept no longer: by request, by its time, for an erasure, or since it was lost.",
  schema: Type.Object({ because: Text }),
  object: EXPORT,
  after: { because: "expired" },
});

/** A package was made. */
export const packageGenerated = evidenceType({
  name: "truth_package.generated",
  meaning: "A truth package was made, with these hashes.",
  payload: Type.Object({
    export_id: Text,
    packaged_at: Text,
    package_sha256: Text,
    manifest_sha256: Text,
    size_bytes: Type.Integer(),
    challenge: Text,
    proof_sha256: Text,
    payloads: Text,
    streams: Type.Array(Type.Object({ stream_id: Text, from_seq_no: Type.Integer(), to_seq_no: Type.Integer() })),
    lacks: Type.Optional(Text),
    actor: Actor,
  }),
  example: {
    export_id: EXPORT,
    packaged_at: "2026-12-01T16:05:42.716Z",
    package_sha256: PACKAGE,
    manifest_sha256: MANIFEST,
    size_bytes: 48_122,
    challenge: "3c".repeat(32),
    proof_sha256: "4d".repeat(32),
    payloads: "included",
    streams: [RANGE],
    actor: ACTOR,
  },
});

/** A package was downloaded. */
export const packageAccessed = evidenceType({
  name: "truth_package.accessed",
  meaning: "A truth package was downloaded: by whose ticket, and from where, as hashes.",
  payload: Type.Object({
    access_id: Text,
    export_id: Text,
    package_sha256: Text,
    manifest_sha256: Text,
    accessed_at: Text,
    actor: Actor,
    method: Text,
    network: Type.Object({ address_hash: Text, user_agent_hash: TextOrNull }),
  }),
  example: {
    access_id: ACCESS,
    export_id: EXPORT,
    package_sha256: PACKAGE,
    manifest_sha256: MANIFEST,
    accessed_at: "2026-12-01T16:09:00.000Z",
    actor: ACTOR,
    method: "download",
    network: { address_hash: "5e".repeat(32), user_agent_hash: null },
  },
});

/** A package was verified by who had it. */
export const packageVerified = evidenceType({
  name: "truth_package.verified",
  meaning: "Somebody who had downloaded a truth package reported that it verified.",
  payload: Type.Object({
    access_id: Text,
    export_id: Text,
    package_sha256: Text,
    manifest_sha256: Text,
    verified_artifacts: Type.Integer(),
    verifier: Type.Object({ kind: Text, version: Text }),
    actor: Actor,
  }),
  example: {
    access_id: ACCESS,
    export_id: EXPORT,
    package_sha256: PACKAGE,
    manifest_sha256: MANIFEST,
    verified_artifacts: 8,
    verifier: { kind: "svc", version: "0.5.0" },
    actor: ACTOR,
  },
});
