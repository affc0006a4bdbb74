/**
 * The assurance ladder: five steps, each with what is shown and what is not. The words carry the meaning; ● means
 * shown, ◐ means shown in part or on somebody's word, ○ means not shown.
 */
import { type CheckId, ONLY_OWN_WITNESS, type Report } from "@svc/core";
import { counted, grouped } from "./numbers.ts";
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

const TONES: Readonly<Record<Mark, Tone | null>> = { "●": "good", "◐": "warn", "○": null };

/** Returns the ladder of an object that was not rejected. */
export function ladderOf(report: Report): Step[] {
  return stepsOf(report.kind).map((name) => {
    const [mark, text] = STEPS[name](report);
    return { name, mark, tone: TONES[mark], text };
  });
}

const STEPS = { signed, included, witnessed, published, anchored } as const;
export type StepName = keyof typeof STEPS;

/**
 * Returns the steps that an object of a kind can take: consistency evidence holds no event; fork evidence and
 * endorsements are only signed.
 */
export function stepsOf(kind: Report["kind"]): readonly StepName[] {
  if (kind === "fork" || kind === "key") return ["signed"];
  const all: readonly StepName[] = ["signed", "included", "witnessed", "published", "anchored"];
  return kind === "consistency" ? all.filter((name) => name !== "included") : all;
}

function signed(report: Report): Said {
  const what = holding(report)
    .filter((text) => text.includes("signature"))
    .join(", ");
  if (!report.assurance.signed) return ["○", "not every signature could be checked: a key is missing"];
  const hold = report.kind === "fork" ? "the signatures of both sides hold" : counts(what);
  if (report.verdict === "verified") return ["●", hold];
  return ["◐", `${hold}, under a key that you have not said is theirs`];
}

/** Returns which signatures hold. The contents of an endorsement are not counted. */
function counts(what: string): string {
  if (what === "") return "every signature in it holds";
  return `${what}: ${/^1 [^,]+$/.test(what) ? "it holds" : "all hold"}`;
}

function included(report: Report): Said {
  const { included, complete } = report.assurance;
  if (!included) return ["○", `${itself(report)} does not show that the event is in a window and a checkpoint`];
  // A portable receipt shows no window whole: its event is in one, and a second one only binds the policy.
  const windows = count(report, "window_root") || Math.min(1, count(report, "window_seal"));
  const place = `in ${counted(windows, "window")}, ${counted(count(report, "checkpoint_root"), "checkpoint")}`;
  const whole = complete ? "; nothing missing, nothing added" : "";
  if (report.verdict === "verified") return ["●", `${place}${whole}`];
  return ["◐", `${place}${whole}, if the key is right`];
}

/** Only a pinned witness counts as someone other than the service: the service's policy names anyone it likes. */
function witnessed({ kind, assurance, checks }: Report): Said {
  const { required, valid, pinned } = assurance.witnessed;
  if (valid === 0)
    return ["○", kind === "receipt" ? "a receipt carries no witness" : "no known witness has cosigned it"];
  const needed = required > 0 ? ` of ${grouped(required)} needed` : "";
  if (checks.some(({ id, note }) => id === "witness" && note?.startsWith(ONLY_OWN_WITNESS)))
    return ["○", "by the service's own witness only: this step adds nothing against the service itself"];
  if (pinned === 0)
    return [
      "○",
      `${grouped(valid)}${needed}, none pinned by you: they may all be the service's own, and count for nothing then`,
    ];
  return ["●", `${grouped(valid)}${needed}, ${grouped(pinned)} pinned by you`];
}

function published({ assurance }: Report): Said {
  switch (assurance.published) {
    case "none":
      return ["○", "not in a public log"];
    case "included":
      return ["◐", "in the service's log, which no witness that you pin has cosigned"];
    case "witnessed":
      return ["●", "in the service's log, cosigned by witnesses that you pin"];
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

function itself({ kind }: Report): string {
  return kind === "receipt" ? "a receipt by itself" : thing(kind);
}

function thing(kind: Report["kind"]): string {
  return kind === null ? "this file" : nounOf(kind).replace(/^(an?) |^/, "this ");
}

function count({ checks }: Report, id: CheckId): number {
  return checks.find((check) => check.id === id)?.count ?? 0;
}
