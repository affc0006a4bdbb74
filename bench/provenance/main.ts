/**
 * `pnpm bench provenance`: the evidence of vaults against the same evidence without them: a bundle over a provenance
 * stream, an epoch of checkpoints, and a disclosure. All of it in one process, by turns.
 */
import { bundleOf, id, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { disclosureOf, issueVaultStream, vaultBundleOf } from "@svc/testkit/evidence/vaults";
import {
  type Bundle,
  hexToBytes,
  issueBundle,
  issueIvcEpoch,
  type Json,
  type Kind,
  pinKeys,
  provenancePart,
  selectKernel,
  verify,
} from "../../packages/core/src/index.ts";
import { type Groups, measureGroups } from "../groups.ts";
import { type Contender, type Effort, expectAnswer, measure, type Row, timed } from "../measure.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<ProvenanceBench> = {
  bundles,
  epochs,
  disclosures,
};

/** The common inputs of all groups. */
export interface ProvenanceBench {
  readonly quick: boolean;
  readonly effort: Effort;
}

const kernel = selectKernel("wasm");
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchProvenance({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const effort = { rounds: quick ? 3 : 7, warmUpMs: quick ? 100 : 2000 };
  return { rounds: effort.rounds, rows: await measureGroups(GROUPS, groups, { quick, effort }) };
}

/** A bundle over a provenance stream, verified and built, against the bundle of the same records without that part. */
async function bundles({ quick, effort }: ProvenanceBench): Promise<Row[]> {
  const events = quick ? 1000 : 10_000;
  const evidence = await issueVaultStream(events, { perWindow: 1000, perCheckpoint: 10 });
  const legacy = await bundleOf(evidence);
  const of = `of ${events.toLocaleString("en")} events`;
  const yardstick = { name: "the bundle of the same records alone", contender: verifying("bundle", legacy, events) };
  const rows: Row[] = [];
  for (const [work, shows] of [
    [`verify a provenance bundle ${of}, contents withheld`, false],
    [`verify a provenance bundle ${of}, contents shown`, true],
  ] as const) {
    const bundle = await vaultBundleOf(evidence, { shows: () => shows });
    const wasm = verifying("bundle", bundle, events);
    rows.push(
      ...(await measure({ work, unit: "ms", wasm, yardsticks: [{ ...yardstick, target: { at_most: 2.3 } }] }, effort)),
    );
  }
  const whole = await vaultBundleOf(evidence);
  const built = await measure(
    {
      work: `build a provenance bundle ${of}`,
      unit: "ms",
      wasm: building(() => rebuilt(whole), events),
      yardsticks: [{ ...yardstick, contender: building(() => rebuilt(legacy), events), target: { at_most: 2 } }],
    },
    effort,
  );
  return [...rows, ...built];
}

/** An epoch, recomputed, against its checkpoints one after the other. */
async function epochs({ quick, effort }: ProvenanceBench): Promise<Row[]> {
  const steps = quick ? 100 : 1000;
  const { checkpoints } = await issueStream(steps, { perWindow: 1, perCheckpoint: 1 });
  const created_at = checkpoints.at(-1)?.created_at ?? "";
  const input = { ivc_epoch_id: id("ivc", 1), previous: null, checkpoints, created_at };
  const epoch = await issueIvcEpoch(kernel, SERVICE, input);
  const texts = checkpoints.map(textOf);
  const each = timed(
    steps,
    () => texts.every((text) => verify(text, { kind: "checkpoint", trust, kernel }).ok),
    (isOk) => expectAnswer("each checkpoint", isOk, true),
  );
  return measure(
    {
      work: `verify an IVC epoch of ${steps.toLocaleString("en")} steps`,
      unit: "ms",
      wasm: verifying("ivc-epoch", epoch, steps),
      yardsticks: [{ name: "its checkpoints, one by one", contender: each, target: { at_most: 1.2 } }],
    },
    effort,
  );
}

/** A disclosure of eight fields against the receipt in it; each many times, since one is done in a moment. */
async function disclosures({ quick, effort }: ProvenanceBench): Promise<Row[]> {
  const times = quick ? 20 : 200;
  const further = ["author", "camera", "place", "title"];
  const evidence = await issueVaultStream(40, { perWindow: 20, perCheckpoint: 2, capsuleSize: 64, further });
  const disclosure = await disclosureOf(evidence, 7);
  expectAnswer("the fields", disclosure.fields.length, 8);
  return measure(
    {
      work: `verify ${times} disclosures of 8 fields`,
      unit: "ms",
      wasm: verifying("disclosure", disclosure, times, times),
      yardsticks: [
        {
          name: "their portable receipts alone",
          contender: verifying("portable-receipt", disclosure.receipt, times, times),
          target: { at_most: 3 },
        },
      ],
    },
    effort,
  );
}

function verifying(kind: Kind, object: unknown, amount: number, times = 1): Contender {
  const bytes = textOf(object);
  return timed(
    amount,
    () => {
      let verdict = "";
      for (let turn = 0; turn < times; turn++) ({ verdict } = verify(bytes, { kind, trust, kernel }));
      return verdict;
    },
    (verdict) => expectAnswer(`the ${kind}`, verdict, "verified"),
  );
}

function building(build: () => Promise<unknown>, amount: number): Contender {
  return {
    amount,
    lap: async () => {
      const start = performance.now();
      await build();
      return performance.now() - start;
    },
  };
}

/** Resolves to the same bundle, issued again from its parts. */
function rebuilt({ manifest, artifacts, payloads = {}, contents, ...keys }: Bundle): Promise<Bundle> {
  const { bundle_id, created_at, stream_id, prior_windows, vault_key_lifecycle: lifecycle = [] } = manifest;
  const records = artifacts["receipts.json"].map((record) => {
    const shown = payloads[record.stream_event_id];
    return shown === undefined ? record : { ...record, ...shown };
  });
  const part = artifacts["provenance.json"];
  const input = part === undefined ? null : { ...part, records, lifecycle, ...(contents && { contents }) };
  return issueBundle(kernel, SERVICE, {
    bundle_id,
    created_at,
    stream_id,
    records,
    windows: artifacts["windows.json"],
    checkpoints: artifacts["checkpoints.json"],
    witnesses: artifacts["witnesses.json"],
    prior: { window_count: prior_windows.window_count, frontier: prior_windows.frontier.map(hexToBytes) },
    ...(input === null ? {} : { provenance: provenancePart(kernel, input) }),
    key_hints: keys.key_hints,
    key_endorsements: keys.key_endorsements,
  });
}

function textOf(object: unknown): Uint8Array {
  return kernel.canonicalize(object as Json);
}
