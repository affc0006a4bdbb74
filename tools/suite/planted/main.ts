/**
 * `pnpm test:planted`: shows that the choice of CI misses nothing. It plants 120 faults of one line, one at a time, and
 * looks for a test file that fails with each; one that `.ci/run` does not run for that change is an escape. Another
 * fault of its room replaces one that nobody notices. The rotation of CI counts for nothing: it holds a file by chance.
 */
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { choose, isChoosable } from "../choose.ts";
import { readCosts } from "../costs.ts";
import { nameOf, TIERS, tierOf, type Unit, unitsOf } from "../plan.ts";
import { endAll } from "./attempt.ts";
import { candidatesOf } from "./candidates.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { hunt } from "./hunt.ts";
import { readImporters } from "./imports.ts";
import { inOrder, nameOfFault } from "./order.ts";
import { endBuilds } from "./products.ts";
import { addLine, type Line, type Noticed, readRecord } from "./record.ts";
import { ROOMS, type Room, sourcesOf } from "./rooms.ts";
import { surroundings } from "./surroundings.ts";
import { tableOf } from "./table.ts";
import { compiles, isDirty, plant, restore } from "./tree.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const USAGE = `usage: pnpm test:planted [--seed TEXT] [--budget SECONDS] [--minutes NUMBER] [--room NAME ...]
                         [--record FILE] [--table]
  --budget   the time for a fault, 240 s
  --minutes  begins no further fault after so many minutes
  --room     only faults of these rooms
  --record   what became of each fault; a second run with the same seed goes on from there
  --table    only shows the table of the record`;

const { values } = parsed();
const { seed, record } = values;
const rooms = ROOMS.filter(({ name }) => values.room === undefined || values.room.includes(name));
if (!values.table) await plantAll();
console.log(
  tableOf(
    ROOMS.map(({ name }) => name),
    readRecord(record, seed),
  ).join("\n"),
);

function parsed() {
  try {
    return parseArgs({
      options: {
        seed: { type: "string", default: "1" },
        budget: { type: "string", default: "240" },
        minutes: { type: "string", default: "1000000" },
        room: { type: "string", multiple: true },
        record: { type: "string", default: join(ROOT, "node_modules/.cache/planted.jsonl") },
        table: { type: "boolean", default: false },
      },
    });
  } catch {
    console.error(USAGE);
    process.exit(64);
  }
}

async function plantAll(): Promise<void> {
  if (isDirty(ROOT)) {
    console.error("Faults are planted into the working tree, and there are changes that are not committed.");
    process.exit(64);
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      endAll();
      endBuilds();
      restore();
      process.exit(128 + constants.signals[signal]);
    });
  const around = await surroundings();
  process.on("exit", around.close);
  const units = TIERS.flatMap((tier) => unitsOf(tier, ROOT));
  const { costs } = readCosts(new URL("../costs.json", import.meta.url));
  const importers = readImporters(ROOT);
  const healthy = new Map<string, boolean>();
  const end = Date.now() + Number(values.minutes) * 60_000;
  const queues = rooms.map((room) => ({ room, queue: queueOf(room) }));
  // A fault of each room in turn, so that a run that is cut off has tried all of them.
  while (queues.some(({ room, queue }) => queue.length > 0 && missing(room) > 0))
    for (const { room, queue } of queues) {
      if (Date.now() > end) return;
      if (missing(room) <= 0) continue;
      const fault = nextOf(queue, room);
      if (fault !== undefined) await tryFault(room, fault);
    }

  async function tryFault(room: Room, fault: Fault): Promise<void> {
    const begin = performance.now();
    const changes = [fault.file];
    const { chosen } = choose({ units: units.filter(isChoosable), changes, costs, seed });
    const held = new Map(chosen.map(({ unit, why }) => [nameOf(unit), why]));
    const whyOf = (unit: Unit): Noticed["why"] => {
      if (unit.form === "plain" && tierOf(unit.file) === "quick") return "quick";
      const why = held.get(nameOf(unit));
      return why === "always" || why === "affected" ? why : null;
    };
    const { killer, passed, untried } = await hunt({
      candidates: candidatesOf(fault.file, { units, costs, importers }),
      surroundings: around,
      budgetMs: Number(values.budget) * 1000,
      isHeld: (unit) => whyOf(unit) !== null,
      plant: () => plant(fault, ROOT),
      restore,
      healthy,
    });
    const noticed: Noticed | null = killer && {
      unit: nameOf(killer.candidate.unit),
      tier: killer.candidate.tier,
      distance: killer.candidate.distance,
      failure: killer.failure,
      why: whyOf(killer.candidate.unit),
    };
    note(room, fault, { noticed, compiles: true, passed, untried, seconds: (performance.now() - begin) / 1000 });
  }

  /** Returns the next fault that can be compiled. */
  function nextOf(queue: Fault[], room: Room): Fault | undefined {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      if (compiles(fault, ROOT)) return fault;
      note(room, fault, { noticed: null, compiles: false, passed: 0, untried: 0, seconds: 0 });
    }
    return undefined;
  }
}

/** Returns the faults of a room that have not been tried, in order. */
function queueOf(room: Room): Fault[] {
  const before = new Set(readRecord(record, seed).map(({ fault }) => fault));
  const faults = sourcesOf(room, ROOT).flatMap((file) => faultsOf(file, readFileSync(join(ROOT, file), "utf8")));
  return inOrder(faults, seed).filter((fault) => !before.has(nameOfFault(fault)));
}

/** Returns the number of faults that a room still lacks. */
function missing({ name, faults }: Room): number {
  return faults - readRecord(record, seed).filter(({ room, noticed }) => room === name && noticed !== null).length;
}

function note(
  room: Room,
  fault: Fault,
  result: Pick<Line, "noticed" | "compiles" | "passed" | "untried" | "seconds">,
): void {
  addLine(record, { seed, room: room.name, fault: nameOfFault(fault), kind: fault.kind, ...result });
  const { noticed, seconds, passed, untried } = result;
  if (!result.compiles) return;
  const told =
    noticed === null
      ? `UNNOTICED by ${passed} files, ${untried} not tried`
      : `${noticed.why ?? "ESCAPE"}, at distance ${noticed.distance}: ${noticed.unit}: ${noticed.failure}`;
  console.log(`${seconds.toFixed(0).padStart(4)} s  ${nameOfFault(fault)}\n        ${told}`);
}
