/**
 * The events of a bundle for a person, with their payloads. Everything is the file's own word, and nothing of it is
 * verified; the first line says so.
 */
import type { Kernel } from "@svc/core";
import {
  Contents,
  counted,
  escapeText,
  grouped,
  payloadText,
  readableTime,
  sectionsOfText,
  shorten,
  wordsOfPayload,
} from "@svc/report";
import { shellWord } from "../evidence-file/shell-word.ts";
import { table } from "../render/table.ts";
import { COLUMNS, wrap } from "../render/text.ts";
import { SHOWN_ROWS, unverified } from "./contents.ts";

/** So many characters of a payload are shown unless it is asked for whole. */
const SHOWN_CHARACTERS = 2_000;

/**
 * Returns lines of at most 80 columns. `bytes` are those of a file in the form of a bundle; `kernel` writes payloads,
 * and null leaves them out.
 */
export function bundleEvents(kernel: Kernel | null, bytes: Uint8Array, path: string, isWhole: boolean): string[] {
  const contents = new Contents(sectionsOfText(bytes, "bundle"));
  const shown = isWhole ? contents.count : Math.min(contents.count, SHOWN_ROWS);
  const more = contents.count - shown;
  const limit = isWhole ? Number.POSITIVE_INFINITY : SHOWN_CHARACTERS;
  return [
    ...unverified(path),
    ...Array.from({ length: shown }, (_, index) => ["", ...eventLines(kernel, contents, index, limit)]).flat(),
    ...(more > 0 ? ["", `  ... and ${counted(more, "more event")}; --all shows every one.`] : []),
    "",
    "  To verify it, with a key that you got another way:",
    `    svc bundles offline-verify ${shellWord(path)} --public-key-hex <key>`,
  ];
}

function eventLines(kernel: Kernel | null, contents: Contents, index: number, limit: number): string[] {
  const { seqNo, id, eventType, sourceRef, occurredAt, receivedAt, hasPayload } = contents.row(index);
  const said = (text: string) => shorten(escapeText(text));
  const payload = kernel === null ? null : payloadText(kernel, contents, index, limit);
  const absent = hasPayload ? "in the file, and not shown" : "left out of the file";
  return [
    ...wrap(`Event ${seqNo === null ? "" : grouped(seqNo)}: ${said(eventType)}`, { first: "  ", rest: "    " }),
    ...table(
      [
        ["source", said(sourceRef)],
        ["occurred", `${said(readableTime(occurredAt))}, according to the file`],
        ["received", `${said(readableTime(receivedAt))}, by the signer's clock`],
        ["id", said(id)],
        ["payload", payload === null ? absent : wordsOfPayload(payload).replace("Payload, ", "")],
      ],
      "    ",
    ),
    ...(payload === null ? [] : cutInLines(payload.text, "      ")),
  ];
}

/** Cuts the text as it is, blanks included: wrapping at blanks would show two as one. */
function cutInLines(text: string, indent: string): string[] {
  const characters = [...text];
  const room = COLUMNS - indent.length;
  return Array.from(
    { length: Math.ceil(characters.length / room) },
    (_, line) => indent + characters.slice(line * room, (line + 1) * room).join(""),
  );
}
