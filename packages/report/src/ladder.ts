/**
 * The assurance ladder: five steps, each with what is shown and what is not. The words carry the meaning; ● means
 * shown, ◐ means shown in part or on somebody's word, ○ means not shown.
 */
import { type CheckId, type Kind, ONLY_OWN_WITNESS, type Report } from "@svc/core";
import { counted, grouped } from "./numbers.ts";
import { isSignerKnown, isUnsigned, type Reader, reachesAll } from "./signers.ts";
import { holding, nounOf, type Tone } from "./words.ts";

export type Mark = "●" | "◐" | "○";
type Said = readonly [mark: Mark, text: string];

/** A step of the ladder. */
export interface Step {
  readonly name: StepName;
  readonly mark: Mark;
  /** Null if nothing is shown. */
  readonly tone: Tone | null;
  readonly text: string;
}

export const TONES: Readonly<Record<Mark, Tone | null>> = { "●": "good", "◐": "warn", "○": null };

/**
 * Returns the ladder of an object that was not rejected. `reader`: whose pins may have come with a link. Where none of
 * them leads to the signer, nothing is shown for certain: anybody with a key can make the file.
 */
export function ladderOf(report: Report, reader?: Reader): Step[] {
  return stepsOf(report).map((name) => {
    const [said, text] = STEPS[name](report);
    const mark = said === "●" && !isSignerKnown(report, reader) ? "◐" : said;
    return { name, mark, tone: TONES[mark], text };
  });
}

const STEPS = { signed, included, witnessed, published, anchored, vault, level } as const;
export type StepName = keyof typeof STEPS;

/** The kinds that are signed, and no more: they hold no event, or raise no assurance. */
const ONLY_SIGNED: readonly Report["kind"][] = [
  "fork",
  "key",
  "vault-attestation",
  "key-status",
  "provenance-inclusion",
  "provider-result",
  "ivc-epoch",
];

/**
 * Returns the steps that an object can take: consistency evidence holds no event; some kinds are only signed; what
 * vaults state has separate steps.
 */
export function stepsOf({ kind, assurance }: Pick<Report, "kind" | "assurance">): readonly StepName[] {
  const ofVaults: readonly StepName[] = assurance.provenance === undefined ? [] : ["vault", "level"];
  // No service has signed an envelope by itself.
  if (kind === "envelope") return ofVaults;
  if (ONLY_SIGNED.includes(kind)) return ["signed", ...ofVaults];
  const all: readonly StepName[] = ["signed", "included", "witnessed", "published", "anchored"];
  return [...(kind === "consistency" ? all.filter((name) => name !== "included") : all), ...ofVaults];
}

function signed(report: Report): Said {
  if (isUnsigned(report) && report.kind !== "witness") return ["○", "nobody has signed it"];
  const what = holding(report)
    .filter((text) => text.includes("signature"))
    .join(", ");
  if (!report.assurance.signed) return ["○", "not every signature could be checked: a key is missing"];
  const hold = report.kind === "fork" ? "the signatures of both sides hold" : counts(what);
  if (report.verdict === "verified") return ["●", hold];
  return ["◐", reachesAll(report) ? hold : `${hold}, under a key that no pin of yours leads to`];
}

/** Returns which signatures hold. The contents of an endorsement are not counted. */
function counts(what: string): string {
  if (what === "") return "every signature in it holds";
  return `${what}: ${/^1 [^,]+$/.test(what) ? "it holds" : "all hold"}`;
}

/** The kinds that show it whenever their signatures can be checked. */
const SHOWS_INCLUSION: readonly (Kind | null)[] = ["bundle", "truth-package", "portable-receipt"];

function included(report: Report): Said {
  const { included, complete } = report.assurance;
  if (!included && !report.assurance.signed && SHOWS_INCLUSION.includes(report.kind))
    return ["○", "without the key that is missing nothing shows it"];
  if (!included) return ["○", `${itself(report)} does not show that the event is in a window and a checkpoint`];
  // A portable receipt shows no window whole: its event is in one, and a second one only binds the policy.
  const windows = count(report, "window_root") || Math.min(1, count(report, "window_seal"));
  const place = `in ${counted(windows, "window")}, ${counted(count(report, "checkpoint_root"), "checkpoint")}`;
  const whole = complete ? "; no event missing, none added" : "";
  if (report.verdict === "verified") return ["●", `${place}${whole}`];
  return ["◐", `${place}${whole}${reachesAll(report) ? "" : ", if the key is right"}`];
}

/** Only a pinned witness counts as someone other than the service: the service's policy names anyone it likes. */
function witnessed({ kind, assurance, checks }: Report): Said {
  const { required, valid, pinned } = assurance.witnessed;
  if (valid === 0)
    return ["○", kind === "receipt" ? "a receipt carries no witness" : "no known witness has cosigned it"];
  const needed = required > 0 ? ` of ${grouped(required)} needed` : "";
  if (checks.some(({ id, note }) => id === "witness" && note?.startsWith(ONLY_OWN_WITNESS)))
    return ["○", "by the signer's own witness only: this step adds nothing against the signer itself"];
  if (pinned === 0)
    return [
      "○",
      `${grouped(valid)}${needed}, none pinned by you: they may all be the signer's own, and count for nothing then`,
    ];
  return ["●", `${grouped(valid)}${needed}, ${grouped(pinned)} pinned by you`];
}

function published(report: Report): Said {
  const log = isSignerKnown(report) ? "the service's log" : "the signer's log";
  switch (report.assurance.published) {
    case "none":
      return ["○", "not in a public log"];
    case "included":
      return ["◐", `in ${log}, which no witness that you pin has cosigned`];
    case "witnessed":
      return ["●", `in ${log}, cosigned by witnesses that you pin`];
  }
}

function anchored({ kind, assurance }: Report): Said {
  switch (assurance.anchored) {
    case "none":
      return ["○", `no anchor in ${thing(kind)}`];
    case "pending":
      return ["○", "an anchor is under way, and not mined yet"];
    case "unpinned":
      return ["◐", "anchored in a block that you have not pinned"];
    case "pinned":
      return ["●", "anchored in a block that you pinned"];
  }
}

/** How the reader knows the keys of the vaults, and whether their envelopes are all here. */
function vault({ assurance: { provenance } }: Report): Said {
  const { installations = 0, vault_keys = "none", vault_chain = "none", key_custody = "none" } = provenance ?? {};
  const says = provenance?.substantiated_by === "verifier" ? "" : "the service says that ";
  const isOne = installations === 1;
  const [one, its] = isOne ? ["the vault", "its"] : [`${grouped(installations)} vaults`, "their"];
  const key = `${its} ${isOne ? "key" : "keys"}`;
  const chain = {
    complete: `; ${its} envelopes are here from the first on, none missing`,
    partial: `; ${its} envelopes follow one another, and do not begin with the first`,
    none: "",
  }[vault_chain];
  const custody = {
    x509: `; ${says}by certificates ${key} cannot leave the token where it was made`,
    ceremony: `; ${says}by the word of custodians ${key} was made in a token`,
    none: "",
  }[key_custody];
  if (vault_keys === "none")
    return ["○", `no key that you trust is known for ${one}: what it sealed proves nothing to you`];
  if (vault_keys === "pinned")
    return ["●", `sealed by ${one}, and you pin ${key}, or one that handed over to it${chain}${custody}`];
  return ["◐", `sealed by ${one}; the service vouches for ${key}, and could make its own vaults${chain}${custody}`];
}

/** The levels of the events, whose word they rest on, and what the lowest of them lacks for the next one. */
function level({ assurance: { provenance }, checks }: Report): Said {
  const { effective = { L0: 0, L1: 0, L2: 0, L3: 0 }, substantiated_by = "none", software_root } = provenance ?? {};
  const counts = (["L3", "L2", "L1", "L0"] as const).filter((name) => effective[name] > 0);
  const [only = "L0", ...others] = counts;
  const levels = others.length === 0 ? only : counts.map((name) => `${grouped(effective[name])} at ${name}`).join(", ");
  const whose = {
    verifier: ", by your own check of the evidence",
    service: ", on the service's word",
    none: ": no attestation counts here",
  }[substantiated_by];
  const software = software_root === true ? "; an attestation here rests on software" : "";
  const missing = checks.find(({ id }) => id === "assurance")?.note;
  const text = `${levels}${whose}${software}${missing === undefined ? "" : `; ${missing}`}`;
  return [{ verifier: "●", service: "◐", none: "○" }[substantiated_by] as Mark, text];
}

function itself({ kind }: Report): string {
  return kind === "receipt" ? "a receipt by itself" : thing(kind);
}

function thing(kind: Report["kind"]): string {
  return kind === null ? "this file" : nounOf(kind).replace(/^(an?) |^/, "this ");
}

function count({ checks }: Report, id: CheckId): number {
  return checks.find((check) => check.id === id)?.count ?? 0;
}
