/**
 * The behaviour of the SDK in any runtime, against a real service behind a stage (stage.ts). It runs in each of them,
 * so it uses nothing of Node or of a browser, and receives the SDK as a parameter.
 */
import type * as sdk from "../../src/index.ts";

/** The inputs of a runtime. */
export interface Setting {
  /** The stage; each of its modes is a path there. */
  readonly stageUrl: string;
  readonly apiKey: string;
  readonly systemId: string;
  readonly publicKeyHex: string;
}

/** The results of everything, as far as JSON carries them; the same in each runtime. */
export interface Behaviour {
  readonly runtime: string;
  readonly kernel: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

type Sdk = Pick<typeof sdk, "SvcClient" | "loadKernel" | "pinKeys" | "verifyFrom">;

const reading = (number: number) => ({
  source_ref: `sensor-4/${number}`,
  event_type: "temperature.read",
  occurred_at: "2026-03-01T09:30:00Z",
  payload: { celsius: 20 + number / 10, "Ort \u{1f4cd}": ["Küche", null, true] },
});

/** Does everything once. */
export async function behave(
  { SvcClient, loadKernel, pinKeys, verifyFrom }: Sdk,
  setting: Setting,
): Promise<Behaviour> {
  const { stageUrl, apiKey, systemId, publicKeyHex } = setting;
  const kernel = await loadKernel();
  const trust = pinKeys(kernel, [publicKeyHex as sdk.PublicKeyHex]);
  const at = (mode: string, options: object = {}) =>
    new SvcClient({ baseUrl: `${stageUrl}/${mode}`, apiKey, trust, ...options });
  const client = at("honest");
  const { stream_id } = await client.createStream({ system_id: systemId, use_case: "sensor", policy_id: "default" });
  const stream = client.stream(stream_id);
  const first = await stream.append(reading(1));
  const batch = await stream.appendBatch([reading(2), reading(3)]);
  const lost = await at("losing")
    .stream(stream_id, { head: batch[1] as sdk.ReceiptRecord })
    .append(reading(4));
  const numbers: number[] = [];
  for await (const { seq_no } of stream.events({ limit: 3 })) numbers.push(seq_no);
  const pack = await client.auditPackBytes({ stream_id, from_seq_no: 1, to_seq_no: 4 });
  const streamed = await verifyFrom(new Blob([pack.slice()]).stream(), { trust });
  const untrusted = await verifyFrom(pack);

  const answers = {
    receiptVerdict: client.receiptVerdict,
    chained: batch[0]?.previous_event_hash === first.event_hash,
    lost: lost.seq_no,
    numbers,
    head: (await stream.head()).stream_head_hash === lost.stream_head_hash,
    stored: JSON.stringify(await client.receipt(first.stream_event_id)) === JSON.stringify(first),
    streamed: [streamed.verdict, streamed.kind, streamed.subject.to_seq_no],
    untrusted: untrusted.verdict,
    lie: await failure(() => at("lying").stream(stream_id).append(reading(5))),
    refused: await failure(() => stream.append({ ...reading(5), occurred_at: "2026-03-01T09:30:00" })),
    silent: await failure(() => at("silent", { timeoutMs: 50, maxAttempts: 2 }).health()),
    aborted: await failure(() => client.health(AbortSignal.abort())),
    abortedLater: await failure(() => {
      const stop = new AbortController();
      const health = at("silent").health(stop.signal);
      stop.abort(new Error("enough"));
      return health;
    }),
    elsewhere: await failure(() => at("elsewhere").health()),
  };
  return { runtime: runtimeName(), kernel: kernel.name, answers };
}

/** Returns the failure of a call: name, code, and the name of its cause. */
async function failure(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await call() };
  } catch (error) {
    const { name, message, code, cause } = error as { name: string; message: string; code?: unknown; cause?: Error };
    return typeof code === "string"
      ? [name, code, cause?.name ?? null]
      : [name, name === "Error" ? message : null, null];
  }
}

function runtimeName(): string {
  const { Deno, Bun, process, navigator } = globalThis as {
    Deno?: { version: { deno: string } };
    Bun?: { version: string };
    process?: { versions?: { node?: string } };
    navigator?: { userAgent: string };
  };
  if (Deno !== undefined) return `deno ${Deno.version.deno}`;
  if (Bun !== undefined) return `bun ${Bun.version}`;
  if (process?.versions?.node !== undefined) return `node ${process.versions.node}`;
  return navigator?.userAgent ?? "unknown";
}
