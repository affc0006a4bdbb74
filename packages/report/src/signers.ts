/**
 * Who signed an object, in words: by the reader's own names for keys, and by whole fingerprints for keys that trust
 * does not reach.
 */
import type { Problem, Report, ReportedSigner, TrustPolicy } from "@svc/core";
import { escapeText } from "./escape.ts";

/** The knowledge that the reader brings along: none of it comes from the evidence. */
export interface Reader {
  /** Undefined if the reader pins nobody. */
  readonly trust: TrustPolicy | undefined;
  /** The reader's names for pinned keys, by kid. */
  readonly names?: Readonly<Record<string, string>>;
  /** The kids of keys that only the link to a page has named. */
  readonly linkKids?: readonly string[];
}

/** How many keys are named. */
export const SHOWN_KEYS = 5;

/** Returns those who signed, each key once: the least trust that reaches it, its fingerprint if any role has it. */
export function signersIn({ signers }: Report): ReportedSigner[] {
  const found = new Map<string, ReportedSigner>();
  for (const signer of signers) {
    const known = found.get(signer.kid);
    const isLess = signer.reached === "none" && (known?.reached !== "none" || known.fingerprint === null);
    if (known === undefined || isLess) found.set(signer.kid, signer);
  }
  return [...found.values()];
}

/** Returns `sealed by acme 2026 (ed25519-…), which you pinned`, and so on; null if nobody signed. */
export function sealedBy(report: Report, reader: Reader): string | null {
  const all = signersIn(report);
  // A service vouches for keys of vaults, and endorses its own keys.
  const vouched = `which a key that you pinned ${isAboutVaults(report) ? "vouches for" : "endorses"}`;
  const said = all.slice(0, SHOWN_KEYS).map(({ kid, reached, role }) => {
    if (reader.linkKids?.includes(kid)) return `${kid}, which came with the link`;
    const pinned = role === "vault" ? "which your pins of vaults reach" : "which you pinned";
    return `${nameOf(kid, reader)}, ${reached === "pinned" ? pinned : vouched}`;
  });
  if (all.length > SHOWN_KEYS) said.push(`${all.length - SHOWN_KEYS} more`);
  return said.length === 0 ? null : `sealed by ${said.join(", and ")}`;
}

/** Returns the reader's name for a key, with its kid. */
export function nameOf(kid: string, { names = {} }: Reader): string {
  return Object.hasOwn(names, kid) ? `${escapeText(names[kid] ?? "")} (${kid})` : kid;
}

/**
 * Says whether one of the object's signers may be known from the link alone. Any pinned key may be the one that leads
 * to an endorsed signer.
 */
export function isFromLink({ signers }: Report, { linkKids = [] }: Reader): boolean {
  return signers.some(({ kid, reached }) =>
    reached === "pinned" ? linkKids.includes(kid) : reached === "endorsed" && linkKids.length > 0,
  );
}

/** Says whether the reader's own pins lead to everybody who signed an object that was not rejected. */
export function isSignerKnown(report: Report, reader?: Reader): boolean {
  if (report.verdict === "verified") return reader === undefined || !isFromLink(report, reader);
  return reachesAll(report);
}

/** Returns a fingerprint in groups of four, to read out and compare. */
export function inGroups(fingerprint: string): string {
  return fingerprint.replace(/(.{4})(?!$)/g, "$1 ");
}

/** Says whether an object carries no signature itself. */
export function isUnsigned({ kind, checks }: Report): boolean {
  const isSealed = checks.some(({ id, status }) => id === "bundle_seal" && status !== "not_checked");
  return !isSealed && UNSIGNED_KINDS[kind ?? ""] !== undefined;
}

/** The signed objects that those need which nobody has signed by themselves. */
export const UNSIGNED_KINDS: Readonly<Record<string, string>> = {
  inclusion: "the signed object that it names, such as a window or a checkpoint",
  witness: "the signed object that it names, such as a checkpoint",
  "provider-result": "the disclosure that opens it",
  "provenance-inclusion": "the manifest of its range",
};

/** Says whether trust reaches everybody who signed an object that is not verified for another reason. */
export function reachesAll({ signers }: Report): boolean {
  return signers.length > 0 && signers.every(({ reached }) => reached !== "none");
}

/** The signers that seal nothing of what a service records. */
const BESIDE: readonly string[] = ["vault", "witness"];

/** Says whether trust reaches a key that sealed a part of an object, and does not reach another of its signers. */
export function isPartlyReached({ signers }: Report): boolean {
  const isReached = ({ reached, role }: ReportedSigner) => reached !== "none" && !BESIDE.includes(role);
  return signers.some(isReached) && signers.some(({ reached }) => reached === "none");
}

/** Says whether vaults have sealed what the report is about. */
function isAboutVaults({ assurance }: Report): boolean {
  return assurance.provenance !== undefined;
}

/** Says whether a problem is that the key of a vault is not known, and not that of a service. */
export function isOfVault(report: Report, { code, kid }: Problem): boolean {
  const hasVaults = isAboutVaults(report) || report.kind === "key-status" || report.kind === "provenance-inclusion";
  return code === "key_not_pinned" && kid === undefined && hasVaults && !isUnsigned(report);
}

/** Says whether the reader gave the fingerprint of a signer's key in place of the key: both are 64 hex digits. */
export function gaveFingerprint({ signers }: Report, { trust }: Reader): boolean {
  return signers.some(({ fingerprint }) => trust?.signers.some((pin) => pin.public_key_hex === fingerprint));
}

/**
 * Returns what to think of a signer that trust does not reach, one paragraph for each point: which key it is, what a
 * comparison with the service's own key shows, and whom to ask. The sender of the file is the wrong person to ask.
 */
export function whoseKey(report: Report, reader: Reader): string[] {
  if (gaveFingerprint(report, reader))
    return ["A fingerprint is for comparing and checks no signature: pin the key that has it."];
  const strangers = signersIn(report).filter(({ reached }) => reached === "none");
  if (isUnsigned(report)) return [`Nobody signed this by itself: it needs ${UNSIGNED_KINDS[report.kind ?? ""]}.`];
  if (reachesAll(report) && report.assurance.signed)
    return report.problems.some((problem) => isOfVault(report, problem))
      ? ["Get the vault's own key from its owner, by a way that you know; not from the service, nor from the file."]
      : [];
  const told = strangers.flatMap(({ fingerprint }) => fingerprint ?? []).slice(0, SHOWN_KEYS);
  const untold = strangers.flatMap(({ kid, fingerprint }) => (fingerprint === null ? [kid] : [])).slice(0, SHOWN_KEYS);
  const keys = told.map(inGroups).join(", and ");
  // A vault's key is not the service's.
  const several = isAboutVaults(report) ? "any of them" : "one of them";
  const [prints, it] = told.length === 1 ? ["Fingerprint of the key", "it"] : ["Fingerprints of the keys", several];
  const isPinned = (reader.trust?.signers.length ?? 0) > 0;
  return [
    ...(told.length === 0
      ? []
      : [`${prints} in this file: ${keys}. If the service never had ${it}, the file is not the service's.`]),
    ...(untold.length === 0
      ? []
      : [
          `The file names its key, ${untold.join(", ")}, and does not carry it. Without the key its signature ` +
            `cannot be checked.`,
        ]),
    ...(strangers.length === 0 ? ["The file does not carry its key, and without it no signature can be checked."] : []),
    "A key or a name that travels with the evidence proves nothing.",
    isPinned
      ? "Ask the service whether its key has changed, by a way that you know to be its own; never ask the sender " +
        "of the file."
      : "Get the service's key another way: from its own site, from a contract, by a phone call; never from the " +
        "sender of the file.",
  ];
}
