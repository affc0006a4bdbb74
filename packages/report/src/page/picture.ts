/**
 * The chain as a picture: events as ticks, windows over them, checkpoints over the windows. The words below it say
 * everything that it shows. It is as wide as the column, at any width: positions are shares of the width, and only
 * heights are pixels. A broken spot is a link to its problem.
 */
import type { Chain, Stretch } from "../chain.ts";
import { counted, grouped, shorten } from "../numbers.ts";
import type { DrawnVault } from "../vault.ts";
import { type Element, el, type Parts } from "./element.ts";

/** A phone cannot show more than this apart: neighbours are drawn as one. */
const MOST_TICKS = 60;
const MOST_BOXES = 40;
const MOST_NAMES = 3;
/** The heights of a lane, in pixels: its name, then its shapes, then room for a cross. */
const [LANE_HEIGHT, SHAPE_TOP, SHAPE_HEIGHT] = [76, 24, 30];
/** The narrowest picture, in pixels: a box shows its number only if the number fits at this width. */
const LEAST_WIDTH = 280;

type Lane = "checkpoints" | "windows" | "events";

/** Says whether the chain has more to show than one thing by itself. */
export function isWorthDrawing({ events, windows, checkpoints }: Chain): boolean {
  return windows.length > 0 || checkpoints.length > 1 || events.count > 1;
}

/**
 * Returns the picture of one chain, with its words. `problemId` returns the anchor of a problem on the page. Texts are
 * escaped already.
 */
export function picture(chain: Chain, problemId: (problem: number) => string): Element {
  const { events, windows, checkpoints } = chain;
  const span = Math.max(1, events.to - events.from + 1);
  const x = (event: number) => ((event - events.from) / span) * 100;
  const first = windows[0];
  // A cut-out does not hold every window of a checkpoint: the checkpoint is drawn over the windows that are there.
  const byNo = new Map(windows.map((window) => [window.no, window]));
  const eventOf = (window: number, edge: "from" | "to") =>
    byNo.get(window)?.[edge] ?? (edge === "from" ? events.from : events.to);
  const over = checkpoints.map((one) => ({
    ...one,
    from: eventOf(one.from, "from"),
    to: first === undefined ? one.toEvent : eventOf(one.to, "to"),
  }));
  const boxes = (lane: Lane, list: readonly Stretch[]) => (top: number) =>
    // Broken shapes are drawn over their neighbours, with which they share edges.
    merged(list)
      .toSorted((a, b) => Number(a.problem !== null) - Number(b.problem !== null))
      .map((one) => box(lane, one, top, x(one.from), x(one.to + 1), problemId));
  const lanes: [string, (top: number) => Parts][] = [
    ...(checkpoints.length > 0 ? [lane(`checkpoints${beside(chain)}`, boxes("checkpoints", over))] : []),
    ...(windows.length > 0 ? [lane("windows", boxes("windows", windows))] : []),
    lane(rangeOf(events), (top) => ticks(chain, top, x, problemId)),
    ...chain.vaults
      .slice(0, MOST_NAMES)
      .map((vault) => lane(envelopesOf(vault), (top) => ticks(chain, top, x, problemId, vault))),
  ];
  return el(
    "figure",
    { class: "chain" },
    el(
      "svg",
      { width: "100%", height: `${lanes.length * LANE_HEIGHT}`, "aria-hidden": hasBroken(chain) ? undefined : "true" },
      lanes.map(([name, draw], at) => [
        el("text", { class: "lane", x: "0", y: `${at * LANE_HEIGHT + SHAPE_TOP - 8}` }, name),
        draw(at * LANE_HEIGHT + SHAPE_TOP),
      ]),
    ),
    el(
      "figcaption",
      {},
      ...words(chain),
      isMerged(chain) ? el("p", {}, "Too many to draw apart: a shape stands for several neighbours.") : null,
    ),
  );
}

function lane(name: string, draw: (top: number) => Parts): [string, (top: number) => Parts] {
  return [name, draw];
}

function rangeOf({ from, to }: Chain["events"]): string {
  return from === to ? `event ${grouped(from)}` : `events ${grouped(from)} to ${grouped(to)}`;
}

/** Returns who vouches beside the checkpoints. */
function beside({ witnesses, anchors }: Chain): string {
  const count = witnesses.filter(({ isBroken }) => !isBroken).length;
  const said = [
    count === 0 ? "no witness" : counted(count, "witness", "witnesses"),
    anchors.length === 0 ? "no anchor" : counted(anchors.length, "anchor"),
  ];
  return ` · ${said.join(" · ")}`;
}

function hasBroken({ windows, checkpoints, brokenEvents, vaults }: Chain): boolean {
  return (
    brokenEvents.length > 0 ||
    vaults.some(({ broken }) => broken.length > 0) ||
    [...windows, ...checkpoints].some(({ problem }) => problem !== null)
  );
}

function isMerged({ events, windows, checkpoints }: Chain): boolean {
  return Math.max(windows.length, checkpoints.length) > MOST_BOXES || events.to - events.from >= MOST_TICKS;
}

/** Merges neighbours if there are too many shapes; broken ones stay visible. */
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
  kind: Lane,
  { no, problem, count }: Stretch & { readonly count: number },
  top: number,
  left: number,
  right: number,
  problemId: (problem: number) => string,
): Element {
  const name = count > 1 ? `${grouped(no)}–${grouped(no + count - 1)}` : grouped(no);
  const hasRoom = ((right - left) / 100) * LEAST_WIDTH > name.length * 8 + 6;
  const shape = [
    el("rect", {
      class: kind,
      x: share(left),
      y: `${top}`,
      width: share(right - left),
      height: `${SHAPE_HEIGHT}`,
    }),
    hasRoom ? el("text", { class: "inside", x: share((left + right) / 2), y: `${top + 20}` }, name) : null,
  ];
  if (problem === null) return el("g", {}, ...shape);
  const label = `${kind.slice(0, -1)} ${name} is broken: to the problem`;
  return link(label, problemId(problem), [...shape, cross((left + right) / 2, top)]);
}

function envelopesOf({ from, to }: DrawnVault): string {
  return from === to ? `a vault's envelope ${grouped(from)}` : `a vault's envelopes ${grouped(from)} to ${grouped(to)}`;
}

/** Draws the events, or those of them that one vault sealed. */
function ticks(
  { events, brokenEvents }: Chain,
  top: number,
  x: (event: number) => number,
  problemId: (problem: number) => string,
  vault?: Chain["vaults"][number],
): Parts {
  const span = events.to - events.from + 1;
  const step = Math.max(1, Math.ceil(span / MOST_TICKS));
  const line = (name: string, at: number, more = 0) =>
    el("line", {
      class: name,
      x1: share(at),
      x2: share(at),
      y1: `${top - more}`,
      y2: `${top + SHAPE_HEIGHT + more}`,
    });
  const placeOf = (no: number) => Math.floor((no - events.from) / step);
  const sealed = vault && new Set(vault.events.map(placeOf));
  const all = Array.from({ length: Math.ceil(span / step) }, (_, at) => events.from + at * step);
  const drawn = all
    .filter((no) => sealed?.has(placeOf(no)) ?? true)
    .map((no) =>
      line(no <= events.heldTo ? "tick" : "tick absent", (x(no) + x(Math.min(events.to + 1, no + step))) / 2),
    );
  const seen = new Set<number>();
  const broken = (vault?.broken ?? brokenEvents).flatMap(({ no, problem, ...more }) => {
    const place = placeOf(no);
    if (seen.has(place) || no < events.from || no > events.to) return [];
    seen.add(place);
    const middle = (x(no) + x(no + 1)) / 2;
    const what = "isMissing" in more && more.isMissing ? "missing" : "broken";
    const label = `${vault ? "the envelope of event" : "event"} ${grouped(no)} is ${what}: to the problem`;
    return [link(label, problemId(problem), [line("broken", middle, 3), cross(middle, top)])];
  });
  return [...drawn, ...broken];
}

function link(label: string, id: string, children: Parts): Element {
  return el("a", { href: `#${id}`, "aria-label": label, class: "spot" }, children);
}

/** Returns a mark below a shape that works without colour, with room around it for a finger. */
function cross(x: number, top: number): Element {
  return el(
    "svg",
    { x: share(x), y: `${top + SHAPE_HEIGHT + 10}` },
    el("rect", { class: "reach", x: "-12", y: "-42", width: "24", height: "54" }),
    el("path", { class: "cross", d: "M-5-5L5 5M5-5L-5 5" }),
  );
}

/** Returns the whole picture in words. */
function words(chain: Chain): Parts[] {
  const { events, windows, checkpoints, witnesses, anchors, streamId } = chain;
  const [first, last] = [grouped(events.from), grouped(events.to)];
  const held =
    events.from === events.heldTo
      ? `event ${first}`
      : `${counted(events.count, "event")}, ${first} to ${grouped(events.heldTo)}`;
  const range = events.heldTo < events.to ? `${held}, of a chain up to event ${last}` : held;
  const what = events.count === 0 ? `Up to event ${last}` : capital(range);
  const under = [
    ...(windows.length === 0 ? [] : [`in ${counted(windows.length, "window")}`]),
    ...(checkpoints.length === 0 ? [] : [`under ${counted(checkpoints.length, "checkpoint")}`]),
  ].join(" ");
  const holding = witnesses.filter(({ isBroken }) => !isBroken);
  const named = holding.slice(0, MOST_NAMES).map(({ name, isManaged, isPinned }) => {
    const whose = isPinned ? "pinned by you" : isManaged ? "the signer's own" : "not pinned by you";
    return `${shorten(name)} (${whose})`;
  });
  const more = holding.length - named.length;
  const cosigned = `Cosigned by ${named.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}.`;
  const kept = chain.vaults.map(
    ({ installationId, events, from, to }) =>
      `${shorten(installationId)}: ${counted(events.length, "envelope")}, its own ${grouped(from)} to ${grouped(to)}`,
  );
  const others = kept.length - MOST_NAMES;
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
          holding.length === 0 ? `No statement of a witness ${witnesses.length === 0 ? "in it" : "holds"}.` : cosigned,
          ` ` +
            `${anchors.length === 0 ? "No anchor." : `Anchored: ${anchors.slice(0, MOST_NAMES).map(shorten).join("; ")}.`}`,
        ),
    kept.length === 0
      ? null
      : el(
          "p",
          {},
          `Sealed by ` +
            `${kept.slice(0, MOST_NAMES).join("; ")}${others > 0 ? ` and ${counted(others, "more vault")}` : ""}.`,
        ),
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a share of the width: short, and the same on every platform. */
function share(value: number): string {
  return `${Math.round(value * 100) / 100}%`;
}
