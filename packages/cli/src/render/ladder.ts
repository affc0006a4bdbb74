/**
 * The assurance ladder: five steps, each with what is shown and what is not. The words carry the meaning; ● is shown, ◐ is shown in
 * part or on somebody's word, ○ is not shown.
 */
import type { CheckId, Report } from "@svc/core";
import type { Paint, Tone } from "./color.ts";
import { counted, grouped, wrap } from "./text.ts";
import { holding } from "./words.ts";

type Mark = "●" | "◐" | "○";
type Step = readonly [mark: Mark, text: string];

const TONES: Readonly<Record<Mark, Tone | null>> = { "●": "good", "◐": "warn", "○": null };

/** The ladder of an object that was not rejected, as lines. */
export function ladder(report: Report, paint: Paint): string[] {
  const steps: readonly (readonly [string, Step])[] = [
    ["signed", signed(report)],
    ["included", included(report)],
    ["witnessed", witnessed(report)],
    ["published", published(report)],
    ["anchored", anchored(report)],
  ];
  return steps.flatMap(([name, [mark, text]]) => {
    const label = `  ${name.padEnd(11)}`;
    const [first = "", ...rest] = wrap(text, { first: `${label}${mark}  `, rest: " ".repeat(label.length + 3) });
    const tone = TONES[mark];
    return [tone === null ? first : first.replace(mark, paint(tone, mark)), ...rest];
  });
}

function signed(report: Report): Step {
  const what = holding(report)
    .filter((text) => text.includes("signature"))
    .join(", ");
  if (!report.assurance.signed) return ["○", "not every signature could be checked: a key is missing"];
  const hold = /^1 [^,]+$/.test(what) ? "it holds" : "all hold";
  if (report.verdict === "verified") return ["●", `${what}: ${hold}`];
  return ["◐", `${what}: ${hold}, under a key that you have not said is theirs`];
}

function included(report: Report): Step {
  const { included, complete } = report.assurance;
  if (!included) return ["○", `${itself(report)} does not show that the event is in a window and a checkpoint`];
  const place = `in ${counted(count(report, "window_root"), "window")}, ${counted(count(report, "checkpoint_root"), "checkpoint")}`;
  const whole = complete ? "; nothing missing, nothing added" : "";
  if (report.verdict === "verified") return ["●", `${place}${whole}`];
  return ["◐", `${place}${whole}, if the key is right`];
}

function witnessed({ kind, assurance }: Report): Step {
  const { required, valid, pinned } = assurance.witnessed;
  if (valid === 0)
    return ["○", kind === "receipt" ? "a receipt carries no witness" : "no known witness has cosigned it"];
  const needed = required > 0 ? ` of ${grouped(required)} needed` : "";
  if (pinned === 0) return ["◐", `${grouped(valid)}${needed}, none pinned by you: they may be the service's own`];
  return ["●", `${grouped(valid)}${needed}, ${grouped(pinned)} pinned by you`];
}

function published({ assurance }: Report): Step {
  switch (assurance.published) {
    case "none":
      return ["○", "not in a public log"];
    case "included":
      return ["◐", "in the service's log, which no witness that you pin has cosigned"];
    case "witnessed":
      return ["●", "in the service's log, cosigned by witnesses that you pin"];
  }
}

function anchored({ kind, assurance }: Report): Step {
  switch (assurance.anchored) {
    case "none":
      return ["○", `no anchor in this ${kind ?? "file"}`];
    case "pending":
      return ["○", "an anchor is under way, and not mined yet"];
    case "unpinned":
      return ["◐", "anchored in a block that you have not pinned"];
    case "pinned":
      return ["●", "anchored in a block that you pinned"];
  }
}

function itself({ kind }: Report): string {
  return kind === "receipt" ? "a receipt by itself" : `this ${kind ?? "file"}`;
}

function count({ checks }: Report, id: CheckId): number {
  return checks.find((check) => check.id === id)?.count ?? 0;
}
