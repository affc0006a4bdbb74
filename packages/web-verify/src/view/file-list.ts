/** What became of each file, where there are several, or one that is no evidence. */
import {
  el,
  escapeText,
  MARKS,
  nounOf,
  OTHER_FORMATS,
  type OtherFormat,
  type Part,
  shorten,
  VERDICTS,
} from "@svc/report";
import type { Outcome } from "../engine/messages.ts";
import { mount } from "./mount.ts";

const CHECK_FILE = "Check that it is the file you meant.";
const UNPACK = "Unpack it first, and drop what is inside.";
const ORIGINAL = "Ask for the original file.";
const KEY_BELOW = "A public key in hex goes into the field for keys.";
const DROP_BOTH = "Drop it together with the one receipt that it belongs to.";
const LACKS_SALT =
  "It is no evidence by itself. If it is the payload of the receipt, give its salt below; until then the receipt was checked without it.";
const ACTIONS: Readonly<Record<OtherFormat, string>> = {
  empty: "Check that it was downloaded whole.",
  gzip: UNPACK,
  zstd: UNPACK,
  xz: UNPACK,
  bzip2: UNPACK,
  "7z": UNPACK,
  pdf: "Ask for the evidence itself: a document about it cannot be verified.",
  "utf-32": ORIGINAL,
  "utf-16": "A program saved it anew. Ask for the original file.",
  zip: CHECK_FILE,
  "empty-zip": CHECK_FILE,
  "byte-order-mark": "An editor put it there. Ask for the original file.",
  html: "A server may have sent an error or a login page in its place. Download the file again.",
  "private-key": "Keep it secret: no verifier needs it. Nothing of it was kept or shown.",
  pem: KEY_BELOW,
  hex: KEY_BELOW,
  "verifier-key": KEY_BELOW,
};

/** The list; `open` is called with the place of a file that is to be shown. */
export function fileList(
  outcomes: readonly Outcome[],
  shown: number | null,
  open: (index: number) => void,
): HTMLElement {
  const rows = outcomes.map((outcome, index) => row(outcome, index, index === shown));
  const head = el("tr", {}, ...["file", "verdict", "what it is"].map((name) => el("th", { scope: "col" }, name)));
  const root = mount(
    el(
      "section",
      { id: "files", "aria-labelledby": "files-title" },
      el("h2", { id: "files-title" }, "Files"),
      el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)),
      note(outcomes),
    ),
  ) as HTMLElement;
  for (const button of root.querySelectorAll("button"))
    button.addEventListener("click", () => open(Number(button.value)));
  return root;
}

function note(outcomes: readonly Outcome[]): Part | null {
  const count = outcomes.filter(({ role }) => role === "evidence").length;
  return count < 2
    ? null
    : el("p", { class: "quiet" }, "Each verdict is on its file alone: none was compared with another.");
}

function row(outcome: Outcome, index: number, isShown: boolean): Part {
  const name = shorten(escapeText(outcome.name));
  const [verdict, what] = cells(outcome);
  const button = el(
    "button",
    { type: "button", class: "link", value: `${index}`, "aria-current": isShown ? "true" : undefined },
    name,
  );
  const label = outcome.role === "evidence" ? button : name;
  return el("tr", {}, el("td", { class: "file" }, label), el("td", {}, ...verdict), el("td", {}, ...what));
}

function cells(outcome: Outcome): readonly [readonly Part[], readonly Part[]] {
  switch (outcome.role) {
    case "evidence": {
      const { word } = VERDICTS[outcome.verdict];
      const { tone } = outcome;
      const id = outcome.id === null ? "" : shorten(escapeText(outcome.id));
      const kind = outcome.kind === null ? "of no known kind" : nounOf(outcome.kind);
      return [
        [el("span", { class: `mark ${tone}` }, `${MARKS[tone]} ${word}`)],
        [
          `${kind} `,
          el("code", {}, id),
          ...(outcome.verdict === "rejected" ? [" ", el("code", {}, outcome.problem ?? "")] : []),
        ],
      ];
    }
    case "trust":
      return outcome.fault === null
        ? [["trust file"], [`says whom you trust: ${outcome.signers} ${outcome.signers === 1 ? "key" : "keys"}`]]
        : [[el("span", { class: "mark bad" }, "✗ trust file")], [`not used as it is: ${outcome.fault}`]];
    case "payload":
      return [["payload"], [outcome.lacksSalt ? LACKS_SALT : outcome.isUsed ? "put into its receipt" : DROP_BOTH]];
    case "other":
      return [["no evidence"], [`It is ${OTHER_FORMATS[outcome.format]} ${ACTIONS[outcome.format]}`]];
    case "unreadable":
      return [["not read"], [escapeText(outcome.reason)]];
  }
}
