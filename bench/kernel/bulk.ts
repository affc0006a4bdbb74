/**
 * Receipt records by a recipe, all in one call, against the same kernel called record by record: event hash, head and
 * signature of each.
 */
import { hexToBytes } from "../../packages/core/src/encoding/hex.ts";
import { RECORD_BATCH, type RecordRecipe, SIGNATURE } from "../../packages/core/src/kernel/document.ts";
import type { Json, JsonObject, Kernel } from "../../packages/core/src/kernel/kernel.ts";
import { referenceKernel } from "../../packages/core/src/kernel/reference/index.ts";
import { tagLine } from "../../packages/core/src/kernel/tag.ts";
import { encodeRecipe } from "../../packages/core/src/kernel/wasm/recipe.ts";
import { measure, type Row, timed, WrongAnswer } from "../measure.ts";
import { type Bench, fingerprint, hasFingerprint, slow } from "./bench.ts";
import { documentOf, KID, sealedRecord } from "./evidence.ts";
import { makeKey } from "./keys.ts";
import { nativeWork } from "./native.ts";
import { Random } from "./random.ts";

const EVENT = [
  ...["stream_id", "stream_event_id", "seq_no", "previous_event_hash", "source_ref", "event_type"],
  ...["occurred_at", "received_at", "payload_hash"],
];
const HEAD = ["stream_id", "seq_no", "event_hash"];
const BODY = ["stream_id", "stream_event_id", "seq_no", "event_hash", "previous_event_hash", "stream_head_hash"];
const SEAL = ["protocol", "alg", "kid"];

/** Measures records a second, from the bytes of the document; without a target. */
export function bulk(bench: Bench): Promise<Row[]> {
  const { kernel, native, quick, effort } = bench;
  const random = new Random(8);
  const key = makeKey(random);
  const count = quick ? 2000 : 100_000;
  const texts: string[] = [];
  for (let number = 1, previous = "0".repeat(64); number <= count; number++) {
    const { event_hash, text } = sealedRecord(random, number, previous, key);
    texts.push(text);
    previous = event_hash;
  }
  const recipe = recipeFor(key.publicKey);
  const expected = (records: readonly string[]) => fingerprint(stated(records));
  const inOneCall = (kernel: Kernel, records: readonly string[]) => {
    const bytes = documentOf(records);
    return timed(
      records.length,
      () => readColumns(kernel, bytes, recipe),
      hasFingerprint("records", expected(records)),
    );
  };
  const some = texts.slice(0, quick ? 500 : 5000);
  const bytes = documentOf(some);
  return measure(
    {
      work: `hash and check receipts, ${count.toLocaleString("en-US")} in one call`,
      unit: "records/s",
      wasm: inOneCall(kernel, texts),
      reference: slow(bench, inOneCall(referenceKernel, texts.slice(0, 100))),
      native: nativeWork(
        native,
        "records",
        [Buffer.from('"items"'), encodeRecipe(recipe), documentOf(texts)],
        count,
        expected(texts),
      ),
      yardsticks: [
        {
          name: "wasm, record by record",
          contender: timed(
            some.length,
            () => readOneByOne(kernel, bytes, key.publicKey),
            hasFingerprint("records", expected(some)),
          ),
        },
      ],
    },
    effort,
  );
}

/**
 * Returns the expected columns, batch by batch: all regular, the hashes that the records state, all signatures valid.
 */
function stated(records: readonly string[], batch = RECORD_BATCH): Uint8Array[] {
  if (records.length > batch) return [...stated(records.slice(0, batch)), ...stated(records.slice(batch))];
  const parsed = records.map((record): JsonObject => JSON.parse(record));
  const ones = Buffer.alloc(records.length, 1);
  const column = (name: string) => Buffer.from(parsed.map((record) => record[name]).join(""), "hex");
  return [ones, column("event_hash"), column("stream_head_hash"), ones];
}

function recipeFor(publicKey: Uint8Array): RecordRecipe {
  const members = (names: readonly string[]) => names.map((name): [string, string[]] => [name, [name]]);
  const seal = SEAL.map((name): [string, string[]] => [name, ["receipt", name]]);
  return {
    digests: [
      { prefix: tagLine("event"), members: Object.fromEntries(members(EVENT)) },
      { prefix: tagLine("head"), members: Object.fromEntries(members(HEAD)) },
    ],
    signatures: [
      {
        prefix: tagLine("receipt"),
        members: Object.fromEntries([...members(BODY), ...seal]),
        signature: ["receipt", "signature"],
        key: ["receipt", "kid"],
        keys: new Map([[KID, publicKey]]),
      },
    ],
    hashes: [],
    literals: [],
    objects: [],
    closed: false,
  };
}

function readColumns(kernel: Kernel, bytes: Uint8Array, recipe: RecordRecipe): Uint8Array[] {
  const opened = kernel.openJson(bytes);
  const batches = opened.ok ? opened.document.records(["items"], recipe) : null;
  if (!opened.ok || batches === null) throw new WrongAnswer("the document of records was refused");
  const answers = [...batches].flatMap(({ regular, digests, verdicts }) => [regular, ...digests, ...verdicts]);
  opened.document.close();
  return answers;
}

function readOneByOne(kernel: Kernel, bytes: Uint8Array, publicKey: Uint8Array): Uint8Array[] {
  const parsed = kernel.parseJson(bytes);
  if (!parsed.ok) throw new WrongAnswer("the document of records was refused");
  const records = (parsed.value as { readonly items: readonly JsonObject[] }).items;
  const pick = (record: JsonObject, names: readonly string[]) =>
    Object.fromEntries(names.map((name): [string, Json] => [name, record[name] ?? null]));
  const digests = (tag: string, names: readonly string[]) =>
    Buffer.concat(records.map((record) => kernel.taggedHash(tag, kernel.canonicalize(pick(record, names)))));
  const verdicts = records.map((record) => {
    const receipt = record.receipt as JsonObject;
    const body = kernel.canonicalize({ ...pick(record, BODY), ...pick(receipt, SEAL) });
    const message = Buffer.concat([tagLine("receipt"), body]);
    const signature = hexToBytes(String(receipt.signature));
    return kernel.verifyEd25519([{ publicKey, message, signature }])[0] === true ? SIGNATURE.valid : SIGNATURE.invalid;
  });
  return [Buffer.alloc(records.length, 1), digests("event", EVENT), digests("head", HEAD), Uint8Array.from(verdicts)];
}
