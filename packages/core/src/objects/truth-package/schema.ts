/** The shape of a truth package's manifest (protocol section 15), and its faults that the schema cannot express. */
import type { ShapeFault } from "../../report/shape.ts";
import { Closed, Count, ExportId, Hash, OneOf, Ordinal, ServiceTime, StreamId, TenantId } from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { Seal } from "../../seal.ts";
import { KeyEndorsements, KeyHints } from "../key-endorsement.ts";

/** The value of a manifest's `format`. */
export const PACKAGE_FORMAT = "SVC-TRUTH-PACKAGE-001";
/** The entry that holds the manifest. */
export const MANIFEST_PATH = "svc.truth-package.manifest.json";
/** The other entries, ascending. */
export const ARTIFACT_PATHS = ["events.csv", "manifest.json", "proofs.json"] as const;
/** An artifact's path. */
export type ArtifactPath = (typeof ARTIFACT_PATHS)[number];

/**
 * A range of events that was asked for: of one stream, both ends included (protocol section 15). As JSON, shortened:
 *
 * ```json
 * {"stream_id":"str_01k3…","from_seq_no":1,"to_seq_no":3}
 * ```
 */
export const PackageRange = Closed({ stream_id: StreamId, from_seq_no: Ordinal, to_seq_no: Ordinal });
export type PackageRange = Type.Static<typeof PackageRange>;

/**
 * The sealed manifest of a truth package (protocol section 15). As JSON, shortened:
 *
 * ```json
 * {"format":"SVC-TRUTH-PACKAGE-001","export_id":"exp_01k3…","tenant_id":"tnt_01k3…",
 *  "created_at":"2026-03-01T00:10:00.000Z","ranges":[{"stream_id":"str_01k3…","from_seq_no":1,"to_seq_no":3}],
 *  "artifacts":[],"key_hints":[],"key_endorsements":[],"seal":{}}
 * ```
 */
export const PackageManifest = Closed(
  {
    format: Type.Literal(PACKAGE_FORMAT),
    export_id: ExportId,
    tenant_id: TenantId,
    created_at: ServiceTime,
    ranges: Type.Array(PackageRange, { minItems: 1 }),
    artifacts: Type.Array(Closed({ path: OneOf(...ARTIFACT_PATHS), sha256: Hash, size_bytes: Count }), {
      minItems: ARTIFACT_PATHS.length,
      maxItems: ARTIFACT_PATHS.length,
    }),
    key_hints: KeyHints,
    key_endorsements: KeyEndorsements,
    seal: Seal,
  },
  { $id: "truth-package" },
);
export type PackageManifest = Type.Static<typeof PackageManifest>;

/** Returns the faults in the order of ranges and artifacts: each content has only one manifest. */
export function manifestFaults({ ranges, artifacts }: PackageManifest): ShapeFault[] {
  return [
    ...ranges.flatMap((range, index) => {
      const before = ranges[index - 1];
      const follows =
        before === undefined ||
        before.stream_id < range.stream_id ||
        (before.stream_id === range.stream_id && before.to_seq_no < range.from_seq_no);
      const message = "Ranges ascend by stream and number, do not overlap, and hold an event.";
      return follows && range.from_seq_no <= range.to_seq_no ? [] : [{ path: `/ranges/${index}`, message }];
    }),
    ...artifacts.flatMap(({ path }, index) => {
      const message = `The artifacts are ${ARTIFACT_PATHS.join(", ")}, in this order.`;
      return path === ARTIFACT_PATHS[index] ? [] : [{ path: `/artifacts/${index}/path`, message }];
    }),
  ];
}
