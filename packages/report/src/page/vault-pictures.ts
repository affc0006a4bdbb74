/**
 * Pictures of what vaults state: a capsule as its closed and opened leaves, and the life of a key on a line of time.
 * The words below a picture say everything that it shows. Texts are escaped already. It draws no chain: picture.ts
 * does.
 */
import { counted, shorten } from "../numbers.ts";
import { readableTime } from "../times.ts";
import type { DrawnCapsule, DrawnKey } from "../vault.ts";
import { type Element, el, type Parts } from "./element.ts";

/** A phone cannot show more leaves than this apart: neighbours are drawn as one. */
const MOST_LEAVES = 64;
const [TOP, HEIGHT, BOTTOM] = [24, 30, 76];

/** Returns the picture of a capsule. */
export function capsulePicture({ size, opened }: DrawnCapsule): Element {
  const shapes = Math.min(size, MOST_LEAVES);
  const each = size / shapes;
  const leaves = Array.from({ length: shapes }, (_, at) => {
    const isOpened = opened.some(({ index }) => Math.floor(index / each) === at);
    const place = { x: percent(at / shapes), width: percent(1 / shapes), y: `${TOP}`, height: `${HEIGHT}` };
    return el("rect", { class: isOpened ? "opened" : "closed", ...place });
  });
  // A file may open a leaf twice.
  const places = new Set(opened.map(({ index }) => index)).size;
  const closed = size - places;
  return figure(`a capsule of ${size} leaves`, leaves, [
    el(
      "p",
      {},
      `${counted(places, "leaf is", "leaves are")} opened. ${counted(closed, "stays", "stay")} closed:`,
      " the file does not show what they hold, nor whether they hold anything.",
    ),
    each > 1 ? el("p", {}, "Too many to draw apart: a shape stands for several neighbours.") : null,
    opened.length === 0
      ? null
      : el(
          "dl",
          {},
          ...opened.flatMap(({ name, value }) => [
            el("dt", {}, shorten(name)),
            el("dd", {}, el("code", {}, shorten(value))),
          ]),
        ),
  ]);
}

/**
 * Returns the picture of a key's life. `receivedAt`: of an event in the file that the vault sealed, if there is one.
 */
export function keyPicture(key: DrawnKey, receivedAt: string | undefined): Element {
  const { installationId, status, enrolledAt, revokedAt, statusAt } = key;
  const instants = [enrolledAt, statusAt, revokedAt, receivedAt ?? null].flatMap((time) =>
    time === null || Number.isNaN(Date.parse(time)) ? [] : [Date.parse(time)],
  );
  const [first, last] = [Math.min(...instants), Math.max(...instants)];
  const x = (time: string) => percent((Date.parse(time) - first) / Math.max(1, last - first));
  const middle = TOP + HEIGHT / 2;
  const line = (name: string, from: string, to: string) =>
    el("line", { class: name, x1: x(from), x2: x(to), y1: `${middle}`, y2: `${middle}` });
  const tick = (name: string, time: string) =>
    el("line", { class: name, x1: x(time), x2: x(time), y1: `${TOP}`, y2: `${TOP + HEIGHT}` });
  const end = revokedAt ?? statusAt;
  const drawn = [
    line("tick", enrolledAt, end),
    revokedAt === null ? null : [line("absent", revokedAt, statusAt), tick("broken", revokedAt)],
    tick("tick", enrolledAt),
    tick("tick", statusAt),
    receivedAt === undefined || Number.isNaN(Date.parse(receivedAt)) ? null : tick("event", receivedAt),
  ];
  const place =
    receivedAt !== undefined && revokedAt !== null ? (receivedAt < revokedAt ? ", before" : ", not before") : "";
  return figure("a vault's key: enrolled, told last, and its end if it has one", drawn, [
    el(
      "p",
      {},
      "The key of ",
      el("code", {}, shorten(installationId)),
      `: enrolled ${readableTime(enrolledAt)}; `,
      revokedAt === null ? `${status}` : `${status} from ${readableTime(revokedAt)} on`,
      `, as told ${readableTime(statusAt)}.`,
    ),
    receivedAt === undefined
      ? null
      : el("p", {}, `The event was received ${readableTime(receivedAt)}${place === "" ? "." : `${place} that end.`}`),
  ]);
}

function figure(name: string, drawn: readonly Parts[], words: readonly Parts[]): Element {
  return el(
    "figure",
    { class: "chain" },
    el(
      "svg",
      { width: "100%", height: `${BOTTOM}`, "aria-hidden": "true" },
      el("text", { class: "lane", x: "0", y: `${TOP - 8}` }, name),
      ...drawn,
    ),
    el("figcaption", {}, ...words),
  );
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
