/**
 * Edits a package's manifest: by the edits of any object, and signed again by a stranger. Only the keys that travel
 * with it are free.
 */
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { Json, Kernel } from "../../kernel/kernel.ts";
import { keyHint } from "../../objects/key-endorsement.ts";
import { MANIFEST_PATH, type PackageManifest } from "../../objects/truth-package/schema.ts";
import type { ProblemCode } from "../../report/codes.ts";
import { pointerTo } from "../../schema/pointer.ts";
import { edits } from "../edits.ts";
import { KEY_CODES, SEALED } from "../expected-codes.ts";
import { UNTRUSTED_SIGNER } from "../forge/forger.ts";
import { KEYS } from "../malleability/keys.ts";
import { isWithin } from "../malleability/malleability.ts";
import type { Edit } from "../mutant.ts";
import { isSame } from "../places.ts";
import { packageCodes } from "../schema-codes.ts";
import { schemaPath } from "../schema-path.ts";
import { splices } from "../splices.ts";
import { duplicated, misencoded, respelled } from "../texts.ts";
import { codes, type PackageEdit } from "./edit.ts";
import { archiveOf, type PackageFile } from "./files.ts";
import { manifestAgain, withContents } from "./reseal.ts";

const AT = pointerTo("", MANIFEST_PATH);

/** By member, the codes of which one must come first for an edit that keeps the shape. */
const EXPECTED: readonly (readonly [path: string, codes: readonly ProblemCode[]])[] = [
  ["/ranges", ["malformed", "signature_invalid"]],
  ["/artifacts", ["malformed", "artifact_hash_mismatch"]],
  ["/seal", SEALED],
  ...Object.entries(KEY_CODES),
  ["", ["signature_invalid"]],
];
/** The codes for a manifest that a stranger has sealed again; its ranges then differ from those of the bundles. */
const RESEALED = codes("key_not_pinned", "malformed", "range_incomplete", "export_mismatch");
/** Members that a seal does not cover, or that are computed. */
const NOT_SAID = /^\/(seal|artifacts|key_hints|key_endorsements)(\/|$)/;

/** Yields every edit of the manifest of a package. `donors`: manifests of others. */
export function* manifestEdits(
  kernel: Kernel,
  files: readonly PackageFile[],
  good: PackageManifest,
  donors: readonly Json[],
): Generator<PackageEdit> {
  const withManifest = (content: Uint8Array) => archiveOf(withContents(files, { [MANIFEST_PATH]: content })).bytes;
  for (const edit of [...duplicated(good), ...misencoded(good), ...respelled(good)])
    yield {
      ...edit,
      path: AT + edit.path,
      bytes: () => withManifest(edit.bytes()),
      expected: edit.code === null ? null : codes(edit.code),
      free: edit.code === null,
    };
  const hint = keyHint(kernel, UNTRUSTED_SIGNER.publicKeyHex);
  const hinted = { ...good, key_hints: [...good.key_hints, hint] };
  const spliced = donors.flatMap((donor) => [...splices(good, donor)].map((edit) => [edit, [good, donor]] as const));
  const own: Edit[] = [
    ...edits(good),
    { class: "hinted", path: "/key_hints", description: "given a stranger's key", value: hinted },
  ];
  for (const [edit, sources] of [...own.map((edit) => [edit, [good]] as const), ...spliced]) {
    const { path, description, value } = edit;
    if (isSame(value, good)) continue;
    const ofShape = packageCodes(value);
    const isFree = (base: Json) => isWithin({ inside: KEYS }, value, base, { kernel, sources });
    yield {
      class: edit.class,
      path: AT + path,
      description,
      bytes: () => withManifest(encodeUtf8(JSON.stringify(value))),
      expected: ofShape.size > 0 ? ofShape : expectedAt(path),
      free: ofShape.size === 0 && sources.some(isFree),
    };
  }
  yield* resealed(kernel, files, good);
}

/** Yields one edit of each member that somebody stated, and the present manifest, sealed by a stranger. */
function* resealed(kernel: Kernel, files: readonly PackageFile[], manifest: PackageManifest): Generator<PackageEdit> {
  const seen = new Set<string>();
  const as = { class: "resealed", expected: RESEALED, free: false } as const;
  for (const { class: own, path, description, value } of edits(manifest)) {
    const place = schemaPath(path);
    if (own !== "changed" || NOT_SAID.test(path) || seen.has(place) || packageCodes(value).size > 0) continue;
    seen.add(place);
    const bytes = () => manifestAgain({ kernel, signs: true }, files, value as PackageManifest);
    yield { ...as, path: AT + path, description: `${description}, signed again by a stranger`, bytes };
  }
  const bytes = () => manifestAgain({ kernel, signs: true }, files, manifest);
  yield { ...as, path: AT, description: "as it is, signed again by a stranger", bytes };
}

function expectedAt(path: string): ReadonlySet<ProblemCode> {
  const [, own = []] = EXPECTED.find(([at]) => path === at || path.startsWith(`${at}/`)) ?? [];
  return codes(...own);
}
