/**
 * The archive reader alone, with every check on, against jszip: texts as packages have them, stored and deflated. Ours
 * unpacks piece by piece, jszip unpacks whole, as each does it. With checksums on, jszip unpacks everything twice, once
 * to check and once to return it; without them it only compares the sizes with the directory, and so does less than
 * ours.
 */
import jszip from "jszip";
import { openArchive, selectKernel, unpack } from "../../packages/core/src/index.ts";
import { Random } from "../kernel/random.ts";
import { type Contender, expectAnswer, interleave, type Row, rowOf, type Target, WrongAnswer } from "../measure.ts";

const kernel = selectKernel();
const MB = 1e6;
const PATHS = ["events.csv", "manifest.json", "proofs.json"];

/** The required rates, in MB of content a second. */
const LEAST = { STORE: 300, DEFLATE: 100 } as const;

export async function reader(quick: boolean): Promise<Row[]> {
  const content = contentOf(quick ? 4 * MB : 40 * MB);
  const rows: Row[] = [];
  for (const compression of ["STORE", "DEFLATE"] as const) {
    const archive = await archiveOf(content, compression);
    const size = PATHS.length * content.length;
    const contenders = [ours(archive, size), theirs(archive, size, true), theirs(archive, size, false)];
    const effort = { rounds: quick ? 3 : 7, warmUpMs: quick ? 500 : 3000 };
    const figures = await interleave(contenders, effort, "MB/s");
    const [own = 0, checked = 0, unchecked = 0] = figures.map((one) => one ?? Number.NaN);
    const what = `read an archive, ${compression === "STORE" ? "stored" : "deflated"}`;
    const wanted = (at_least: number): Target | null => (quick ? null : { at_least });
    const row = { work: what, unit: "MB/s" as const, wasm: own, reference: null, native: null };
    rows.push(rowOf({ ...row, yardstick: LEAST[compression], yardstick_name: "limit", target: wanted(1) }));
    rows.push(rowOf({ ...row, yardstick: checked, yardstick_name: "jszip, checkCRC32", target: wanted(3) }));
    rows.push(rowOf({ ...row, yardstick: unchecked, yardstick_name: "jszip, no checksums", target: null }));
  }
  return rows;
}

/** Returns receipt records, as far as an archive can see them: names that repeat, hashes that do not. */
function contentOf(bytes: number): Buffer {
  const random = new Random(11);
  const records: string[] = [];
  for (let length = 0, number = 1; length < bytes; number++) {
    const record = JSON.stringify({
      event_hash: random.hex(32),
      event_type: "loan.decided",
      occurred_at: "2026-03-01T10:29:59+01:00",
      payload: { applicant: `A${number}`, amount: random.below(5_000_000) / 100, note: "x".repeat(300) },
      payload_hash: random.hex(32),
      receipt: { signature: random.hex(64) },
      seq_no: number,
      source_ref: `loan-${number}`,
    });
    records.push(record);
    length += record.length + 1;
  }
  return Buffer.from(records.join(","));
}

function archiveOf(content: Buffer, compression: "STORE" | "DEFLATE"): Promise<Uint8Array> {
  const archive = new jszip();
  for (const path of PATHS) archive.file(path, content, { date: new Date("1980-01-01T00:00:00Z") });
  return archive.generateAsync({ type: "uint8array", compression });
}

function ours(archive: Uint8Array, size: number): Contender {
  return {
    amount: size / MB,
    lap() {
      const start = performance.now();
      const opened = openArchive(archive);
      if (!opened.ok) throw new WrongAnswer(`the archive is refused: ${JSON.stringify(opened.faults[0])}`);
      let read = 0;
      for (const entry of opened.entries) {
        const fault = unpack(kernel, entry, (piece) => {
          read += piece.length;
        });
        if (fault !== null) throw new WrongAnswer(`an entry is refused: ${fault.message}`);
      }
      const ms = performance.now() - start;
      expectAnswer("bytes read", read, size);
      return ms;
    },
  };
}

function theirs(archive: Uint8Array, size: number, checkCRC32: boolean): Contender {
  return {
    amount: size / MB,
    async lap() {
      const start = performance.now();
      const opened = await jszip.loadAsync(archive, { checkCRC32 });
      let read = 0;
      for (const path of PATHS) read += (await opened.file(path)?.async("uint8array"))?.length ?? 0;
      const ms = performance.now() - start;
      expectAnswer("bytes read by jszip", read, size);
      return ms;
    },
  };
}
