/**
 * `svc tamper`: damages good evidence in every standard way and shows that each damage is noticed, on the reader's own
 * file. The files that it writes can be given to any other verifier, with the code with which each must be refused.
 */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Json, type Kernel, type Kind, type Report, type TrustPolicy, verify } from "@svc/core";
import type { Mutant } from "@svc/core/tamper";
import { escapeText, grouped, nounOf } from "@svc/report";
import { Command, Option } from "commander";
import { once, ordinal, withFile } from "../evidence-file/options.ts";
import { withTrustOptions } from "../evidence-file/trust-options.ts";
import { createFile, unwritable } from "../evidence-file/write.ts";
import { EXIT, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { type Row, table } from "../render/table.ts";
import { wrap } from "../render/text.ts";
import { readTrust, type TrustOptions } from "../trust.ts";
import { type GoodFile, openGood } from "./good.ts";
import { sample } from "./sample.ts";
import { Tally } from "./tally.ts";

/** So many mutants are made unless the call names a number. */
const DEFAULT_LIMIT = 500;
const PLAIN = { first: "", rest: "" };
/** The kinds with nothing signed around them, of which a good one is `untrusted`. */
const UNSIGNED: readonly Kind[] = ["inclusion", "witness"];

interface Options extends TrustOptions {
  readonly file: string;
  readonly out: string;
  readonly limit?: number;
}

/** Returns the command. */
export function tamperCommand(): Command {
  const command = withTrustOptions(new Command("tamper"))
    .description("Damage good evidence in every standard way, and see that each damage is noticed.")
    .addOption(
      new Option("--out <folder>", "a new or empty folder for the damaged files").argParser(once).makeOptionMandatory(),
    )
    .addOption(
      new Option("--limit <number>", `how many at most, sample over all classes (default: ${DEFAULT_LIMIT})`).argParser(
        ordinal,
      ),
    )
    .addHelpText("after", "\nThe folder gets manifest.json: of each damaged file what was done, and the codes")
    .addHelpText("after", "of which one must refuse it. Give both to any other verifier.")
    .addHelpText(
      "after",
      "\nExample:\n  svc tamper loan-1005.receipt.json --out tampered --limit 100 --trust acme.trust.json",
    )
    .addHelpText("after", "\nExit codes: 0 every damage noticed, 1 one was not, 2 the file is not verified,")
    .addHelpText("after", "64 wrong call, 66 a file that cannot be read, 70 an error of svc itself.");
  return withFile(command, tamper);
}

async function tamper(options: Options): Promise<void> {
  const kernel = openKernel();
  const trust = await readTrust([kernel], options);
  const good = await openGood(kernel, options.file);
  const { kind, bytes, ending } = good;
  const settings = { kind, kernel, ...(trust === undefined ? {} : { trust }) };
  expectGood(verify(bytes, settings), kind);
  makeFolder(options.out);
  const limit = options.limit ?? DEFAULT_LIMIT;
  const tally = new Tally();
  const entries: Json[] = [];
  for (const mutant of sample(limit, good.make)) {
    const report = verify(mutant.bytes, settings);
    tally.add(mutant, report);
    const file = mutant.id + ending;
    write(join(options.out, file), mutant.bytes);
    entries.push(entryOf(kernel, mutant, file, report));
  }
  write(join(options.out, `good${ending}`), bytes);
  write(join(options.out, "manifest.json"), manifestBytes(good, trust, entries));
  printLines(page(options, kind, tally));
  process.exitCode = tally.survivors.length > 0 ? EXIT.rejected : EXIT.verified;
}

/** Only for a good object is it known how its damage must be refused. */
function expectGood({ verdict, problems }: Report, kind: Kind): void {
  if (verdict === (UNSIGNED.includes(kind) ? "untrusted" : "verified")) return;
  const [problem] = problems;
  throw new Refusal(
    verdict === "rejected" ? EXIT.rejected : EXIT.untrusted,
    `The file itself is ${verdict} (${problem?.code}), so nothing was made: damage shows only on what is verified.`,
    verdict === "rejected"
      ? "Take a file that is verified."
      : "Give the key that sealed it with --public-key-hex, or a trust file with --trust.",
  );
}

/** Only an empty folder is accepted: an existing one keeps its content. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
    if (readdirSync(path).length > 0) throw Object.assign(new Error("not empty"), { code: "ENOTEMPTY" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST")
      throw new Refusal(EXIT.usage, `--out "${path}" is no empty folder.`, "Name a new folder.");
    throw unwritable(path, error as NodeJS.ErrnoException);
  }
}

function write(path: string, bytes: Uint8Array): void {
  try {
    createFile(path, bytes);
  } catch (error) {
    throw unwritable(path, error as NodeJS.ErrnoException);
  }
}

function entryOf(kernel: Kernel, mutant: Mutant, file: string, { verdict, problems }: Report): Json {
  const { id, path, description, expected, free } = mutant;
  return {
    id,
    class: mutant.class,
    file,
    sha256: Buffer.from(kernel.sha256(mutant.bytes)).toString("hex"),
    path,
    description,
    may_be_verified: free,
    expected_codes: expected === null ? null : [...expected],
    found: { verdict, code: problems[0]?.code ?? null },
  };
}

/** Returns the list for other verifiers: the good object, the trust policy, and each damage. */
function manifestBytes(
  { kind, ending }: GoodFile,
  trust: TrustPolicy | undefined,
  mutantEntries: readonly Json[],
): Uint8Array {
  const good = `good${ending}`;
  const about =
    `Each file is ${good} with one damage. A verifier that trusts by "trust" must refuse it, its first problem's ` +
    `code being one of ` +
    "expected_codes (null: any). Where may_be_verified is true, the protocol leaves the change free.";
  const manifest = { about, kind, good, trust: trust ?? null, mutants: mutantEntries };
  return new TextEncoder().encode(`${JSON.stringify(manifest, null, 1)}\n`);
}

function page({ file, out }: Options, kind: Kind, tally: Tally): string[] {
  const { total, survivors } = tally;
  const numbers = ({ made, caught, free, survivors: left }: typeof total) => [made, caught, free, left].map(grouped);
  const rows: Row[] = [
    ["class", "made", "caught", "free", "survivors"],
    ...tally.rows.map(([own, counts]): Row => [own, ...numbers(counts)]),
    ["all", ...numbers(total)],
  ];
  const answer =
    survivors.length === 0
      ? `Every damage was noticed: ${grouped(total.caught)} of ${grouped(total.made)} refused, the other ` +
        `${grouped(total.free)} are changes that the protocol leaves free.`
      : `NOT every damage was noticed: ${grouped(survivors.length)} of ${grouped(total.made)} survived. Please ` +
        `report this, with manifest.json.`;
  return [
    ...wrap(
      `This damages ${escapeText(file)}, ${nounOf(kind)} that is verified, in every standard way, one way a ` +
        `file, and verifies each damaged file as before: does the verifier notice?`,
      PLAIN,
    ),
    "",
    ...wrap(answer, PLAIN),
    "",
    ...table(rows),
    "",
    ...survivors
      .slice(0, 5)
      .flatMap(({ mutant, code }) =>
        wrap(
          `✗ ${mutant.id} at ${escapeText(mutant.path)}: ${escapeText(mutant.description)}; ` +
            `${code === null ? "still verified" : `refused as ${code}`}`,
          { first: "  ", rest: "    " },
        ),
      ),
    ...wrap(
      "Classes: caught are refused with a code that fits; free are written another way, or left out, as anybody " +
        "may; survivors are neither.",
      PLAIN,
    ),
    ...wrap(`The files and manifest.json are in ${escapeText(out)}, for any other verifier.`, PLAIN),
  ];
}
