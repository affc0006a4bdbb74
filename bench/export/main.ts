/**
 * `pnpm bench export`: truth packages from the real server, built beside its requests, and verified by the built `svc`;
 * the memory of a build as exports grow; and the archive reader alone.
 */
import { createWriteStream, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { built } from "@svc/testkit/built";
import { processOf } from "../cli/programs.ts";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { interleave, median, type Row, row } from "../measure.ts";
import { reader } from "./reader.ts";
import { type Filled, filled, started } from "./service.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<ExportBench> = {
  packages,
  memory,
  reader: ({ quick }) => reader(quick),
};

/** The common inputs of all groups. */
export interface ExportBench {
  readonly quick: boolean;
  readonly rounds: number;
  /** The folder for data and packages; it is deleted afterwards. */
  readonly folder: string;
}

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchExport({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 5;
  const rows = await inFolder((folder) => measureGroups(GROUPS, groups, { quick, rounds, folder }));
  return { rounds, rows };
}

/** An export of many events, against the audit pack of the same events, and the verification of each. */
async function packages({ quick, rounds, folder }: ExportBench): Promise<Row[]> {
  const events = quick ? 500 : 100_000;
  const deployment = await filled(join(folder, "packages"), events);
  const service = await started(deployment);
  const [zip, json] = [join(folder, "bench.truth.zip"), join(folder, "bench.bundle.json")];
  const [exported, packed]: [number[], number[]] = [[], []];
  try {
    const range = { stream_id: deployment.streamId, from_seq_no: 1, to_seq_no: events };
    for (let round = 0; round < rounds; round++) {
      exported.push(await exportSeconds(service.client, deployment, zip));
      const start = performance.now();
      const bundle = await service.client.auditPackBytes(range);
      packed.push((performance.now() - start) / 1000);
      writeFileSync(json, bundle);
    }
  } finally {
    await service.close();
  }
  const svc = join(await built("cli"), "svc.mjs");
  const pinned = ["--jobs", "1", "--public-key-hex", deployment.publicKeyHex];
  const verifying = (file: string) => processOf([svc, "verify", file, ...pinned], events, /^VERIFIED /);
  const effort = { rounds, warmUpMs: 0 };
  const [own = 0, other = 0] = (await interleave([verifying(zip), verifying(json)], effort, "events/s")).map(
    (figure) => figure ?? Number.NaN,
  );
  rmSync(deployment.dataFolder, { recursive: true });
  const what = `${events.toLocaleString("en-US")} events`;
  const rate = (seconds: readonly number[]) => events / median(seconds);
  return [
    row(`export ${what} to a package`, "events/s", rate(exported), rate(packed), "the same as an audit pack", null),
    row(
      `svc verify, a package of ${what}`,
      "events/s",
      own,
      other,
      "the same as a bundle",
      quick ? null : { at_least: 0.7 },
    ),
  ];
}

/** Asks for an export, and resolves to the seconds until it was ready; saves the package and then deletes it. */
async function exportSeconds(
  client: Awaited<ReturnType<typeof started>>["client"],
  { streamId }: Filled,
  file: string,
): Promise<number> {
  const start = performance.now();
  const { export_id } = await client.exports.create({ streams: [streamId] });
  await client.exports.whenReady(export_id);
  const seconds = (performance.now() - start) / 1000;
  const { stream } = await client.exports.download(export_id);
  await pipeline(Readable.fromWeb(stream as never), createWriteStream(file));
  await client.exports.delete(export_id);
  return seconds;
}

/** The peak memory of a server that builds one package, against that of a server with few events. */
async function memory({ quick, folder }: ExportBench): Promise<Row[]> {
  const [least = 0, ...more] = quick ? [250, 1000] : [10_000, 100_000, 1_000_000];
  const first = await peakMib(join(folder, "least"), least);
  const rows: Row[] = [];
  for (const events of more) {
    const peak = await peakMib(join(folder, "more"), events);
    const what = `peak memory of an export of ${events.toLocaleString("en-US")} events`;
    const target = quick ? null : { at_most: 1.4 };
    rows.push(row(what, "MiB", peak, first, `of ${least.toLocaleString("en-US")}`, target));
  }
  return rows;
}

async function peakMib(dataFolder: string, events: number): Promise<number> {
  const deployment = await filled(dataFolder, events);
  const service = await started(deployment);
  try {
    const { export_id } = await service.client.exports.create({ streams: [deployment.streamId] });
    await service.client.exports.whenReady(export_id);
    return service.peakMib();
  } finally {
    await service.close();
    rmSync(dataFolder, { recursive: true });
  }
}
