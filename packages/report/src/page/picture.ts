/**
 * The chain as a picture: events as ticks, windows over them, checkpoints over the windows, witnesses and anchors beside. Everything it
 * shows stands in words below it too. A broken spot is a link to its problem.
 */
import type { Chain, Stretch } from "../chain.ts";
import { counted, grouped, shorten } from "../numbers.ts";
import { type Element, el, type Parts } from "./element.ts";

/** More than this do not tell apart: neighbours are drawn as one. */
const MOST_TICKS = 120;
const MOST_BOXES = 40;
const MOST_NAMES = 3;
const [WIDTH, LEFT, RIGHT] = [640, 96, 440];
const LANES = { checkpoints: 8, windows: 62, events: 116 } as const;
const [BOX_HEIGHT, HEIGHT] = [34, 170];
/** Narrower boxes have no room for a number. */
const LEAST_LABELLED = 26;

/** The picture of one chain, with its words. `problemId` names the anchor of a problem on the page. Texts are escaped already. */
export function picture(chain: Chain, problemId: (problem: number) => string): Element {
  const { events, windows, checkpoints } = chain;
  const span = Math.max(1, events.to - events.from + 1);
  const x = (event: number) => LEFT + ((event - events.from) / span) * (RIGHT - LEFT);
  const first = windows[0];
  // In a cut-out there are windows of a checkpoint that are not shown: it is drawn over all that is there.
  const byNo = new Map(windows.map((window) => [window.no, window]));
  const eventOf = (window: number, edge: "from" | "to") =>
    byNo.get(window)?.[edge] ?? (edge === "from" ? events.from : events.to);
  const boxes = (lane: "windows" | "checkpoints", list: readonly Stretch[]) =>
    merged(list).map((one) => box(lane, one, x(one.from), x(one.to + 1), problemId));
  const over = checkpoints.map((one) => ({
    ...one,
    from: eventOf(one.from, "from"),
    to: first === undefined ? one.toEvent : eventOf(one.to, "to"),
  }));
  return el(
    "figure",
    { class: "chain" },
    el(
      "div",
      {
        class: "scroll",
        tabindex: "0",
        role: "group",
        "aria-label": "Picture of the chain; the same stands in words below",
      },
      el(
        "svg",
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          width: `${WIDTH}`,
          height: `${HEIGHT}`,
          "aria-hidden": hasBroken(chain) ? undefined : "true",
        },
        checkpoints.length > 0 ? [lane("checkpoints"), boxes("checkpoints", over)] : null,
        windows.length > 0 ? [lane("windows"), boxes("windows", windows)] : null,
        lane("events"),
        ticks(chain, x, problemId),
        side(chain),
      ),
    ),
    el(
      "figcaption",
      {},
      ...words(chain),
      isMerged(chain) ? el("p", {}, "Too many to draw apart: a shape stands for several neighbours.") : null,
    ),
  );
}

function hasBroken({ windows, checkpoints, brokenEvents }: Chain): boolean {
  return brokenEvents.length > 0 || [...windows, ...checkpoints].some(({ problem }) => problem !== null);
}

function lane(name: keyof typeof LANES): Element {
  return el("text", { class: "lane", x: "0", y: `${LANES[name] + 21}` }, name);
}

function isMerged({ events, windows, checkpoints }: Chain): boolean {
  return Math.max(windows.length, checkpoints.length) > MOST_BOXES || events.to - events.from >= MOST_TICKS;
}

/** Neighbours as one where there are too many; what is broken stays visible. */
function merged(list: readonly Stretch[]): (Stretch & { readonly count: number })[] {
  const size = Math.ceil(list.length / MOST_BOXES);
  return Array.from({ length: Math.ceil(list.length / Math.max(1, size)) }, (_, at) => {
    const group = list.slice(at * size, (at + 1) * size);
    const [one] = group as [Stretch];
    const problem = group.find((each) => each.problem !== null)?.problem ?? null;
    return { no: one.no, from: one.from, to: group.at(-1)?.to ?? one.to, problem, count: group.length };
  });
}

function box(
  kind: "windows" | "checkpoints",
  { no, problem, count }: Stretch & { readonly count: number },
  left: number,
  right: number,
  problemId: (problem: number) => string,
): Element {
  const width = Math.max(2, right - left - 3);
  const name = count > 1 ? `${no}–${no + count - 1}` : `${no}`;
  const shape = [
    el("rect", {
      class: kind,
      x: fixed(left),
      y: `${LANES[kind]}`,
      width: fixed(width),
      height: `${BOX_HEIGHT}`,
      rx: fixed(Math.min(4, width / 4)),
    }),
    width < Math.max(LEAST_LABELLED, name.length * 8)
      ? null
      : el("text", { class: "inside", x: fixed(left + width / 2), y: `${LANES[kind] + 22}` }, name),
  ];
  if (problem === null) return el("g", {}, ...shape);
  const label = `${kind.slice(0, -1)} ${name} is broken: to the problem`;
  return link(label, problemId(problem), [...shape, cross(left + width / 2, LANES[kind] + BOX_HEIGHT + 9)]);
}

function ticks(
  { events, brokenEvents }: Chain,
  x: (event: number) => number,
  problemId: (problem: number) => string,
): Parts {
  const span = events.to - events.from + 1;
  const step = Math.max(1, Math.ceil(span / MOST_TICKS));
  const [top, bottom] = [LANES.events + 2, LANES.events + BOX_HEIGHT - 2];
  const places = Array.from({ length: Math.ceil(span / step) }, (_, at) => events.from + at * step);
  const path = (isHeld: boolean) =>
    places
      .filter((no) => no <= events.heldTo === isHeld)
      .map((no) => `M${fixed((x(no) + x(Math.min(events.to + 1, no + step))) / 2)} ${top}V${bottom}`)
      .join("");
  const drawn = (name: string, isHeld: boolean) =>
    places.some((no) => no <= events.heldTo === isHeld) ? el("path", { class: name, d: path(isHeld) }) : null;
  const seen = new Set<number>();
  const broken = brokenEvents.flatMap(({ no, problem }) => {
    const place = Math.floor((no - events.from) / step);
    if (seen.has(place) || no < events.from || no > events.to) return [];
    seen.add(place);
    const middle = (x(no) + x(no + 1)) / 2;
    const at = fixed(middle);
    const tick = el("path", { class: "broken", d: `M${at} ${top - 4}V${bottom + 4}` });
    return [link(`event ${no} is broken: to the problem`, problemId(problem), [tick, cross(middle, bottom + 12)])];
  });
  return [drawn("ticks", true), drawn("ticks absent", false), ...broken];
}

function link(label: string, id: string, children: Parts): Element {
  return el("a", { href: `#${id}`, "aria-label": label, class: "spot" }, children);
}

/** A mark that does not rest on colour. */
function cross(x: number, y: number): Element {
  const [left, right, top, bottom] = [x - 5, x + 5, y - 5, y + 5].map(fixed);
  return el("path", { class: "cross", d: `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}` });
}

/** Who stands beside the chain. */
function side({ witnesses, anchors, checkpoints }: Chain): Parts {
  if (checkpoints.length === 0) return null;
  const x = RIGHT + 28;
  const said = [
    ...(witnesses.length === 0 ? ["no witness"] : [counted(witnesses.length, "witness", "witnesses")]),
    ...(anchors.length === 0 ? ["no anchor"] : [counted(anchors.length, "anchor")]),
  ];
  return [
    el("path", { class: "tie", d: `M${RIGHT} ${LANES.checkpoints + 17}H${x - 8}` }),
    said.map((text, row) =>
      el("text", { class: "beside", x: `${x}`, y: `${LANES.checkpoints + 14 + 18 * row}` }, text),
    ),
  ];
}

/** All of it in words. */
function words(chain: Chain): Parts[] {
  const { events, windows, checkpoints, witnesses, anchors, streamId } = chain;
  const [first, last] = [events.from, events.to];
  const held =
    first === events.heldTo ? `event ${first}` : `${counted(events.count, "event")}, ${first} to ${events.heldTo}`;
  const range = events.heldTo < last ? `${held}, of a chain up to event ${last}` : held;
  const what = events.count === 0 ? `Up to event ${last}` : capital(range);
  const under = [
    ...(windows.length === 0 ? [] : [`in ${counted(windows.length, "window")}`]),
    ...(checkpoints.length === 0 ? [] : [`under ${counted(checkpoints.length, "checkpoint")}`]),
  ].join(" ");
  const named = witnesses.slice(0, MOST_NAMES).map(({ name, isManaged, isPinned }) => {
    const whose = isPinned ? "pinned by you" : isManaged ? "the service's own" : "not pinned by you";
    return `${shorten(name)} (${whose})`;
  });
  const more = witnesses.length - named.length;
  const cosigned = `Cosigned by ${named.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}.`;
  return [
    el(
      "p",
      {},
      `${what}${streamId === "" ? "" : " of "}`,
      streamId === "" ? null : el("code", {}, shorten(streamId)),
      under === "" ? "." : `, ${under}.`,
    ),
    checkpoints.length === 0
      ? null
      : el(
          "p",
          {},
          witnesses.length === 0 ? "No statement of a witness in it." : cosigned,
          ` ${anchors.length === 0 ? "No anchor." : `Anchored: ${anchors.slice(0, MOST_NAMES).map(shorten).join("; ")}.`}`,
        ),
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Coordinates short, and the same everywhere. */
function fixed(value: number): string {
  return `${Math.round(value * 10) / 10}`;
}
