/** Parts: made once for their users on the same thread, and called by messages from another one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@svc/host/errors";
import { PartsHere, part } from "@svc/host/parts";
import { StoreUnavailable, StoreUncertain } from "@svc/host/store";
import { type Answers, type Calls, RemoteParts, ServedParts } from "@svc/host/threads";

interface Counted {
  made: number;
}

class Adder {
  readonly #by: number;

  constructor(by: number) {
    this.#by = by;
  }

  async add(number: number): Promise<number> {
    return this.#by + number;
  }

  async refuse(): Promise<never> {
    throw new ServiceError("stream_closed", "it is closed", { stream_id: "str_1" });
  }

  fail(): Promise<never> {
    throw new TypeError("thrown at once");
  }
}

const adder = part("adder", (counted: Counted) => new Adder(++counted.made * 100));
const other = part("other", (_counted: Counted) => ({ add: async (number: number) => number }));

/** Two sides, whose messages are cloned as between threads, and counted. */
function connected() {
  const messages: (Calls | Answers)[] = [];
  const crossed = <Message extends Calls | Answers>(message: Message) => {
    messages.push(message);
    return structuredClone(message);
  };
  const remote: RemoteParts<Counted> = new RemoteParts(
    (calls) => served.take(crossed(calls)),
    () => new StoreUnavailable("it has ended"),
  );
  const served = new ServedParts([adder, other], { made: 0 }, (answers) => remote.settle(crossed(answers)));
  return { remote, messages };
}

test("a part on the calling thread is made when it is first used, and once", async () => {
  const counted = { made: 0 };
  const parts = new PartsHere(() => counted);
  assert.equal(counted.made, 0);
  assert.equal(parts.use(adder), parts.use(adder));
  assert.deepEqual([await parts.use(adder).add(1), await parts.use(other).add(1), counted.made], [101, 1, 1]);
});

test("all calls of a turn cross as one message, and their answers as another", async () => {
  const { remote, messages } = connected();
  const results = await Promise.all([remote.use(adder).add(1), remote.use(other).add(2), remote.use(adder).add(3)]);
  assert.deepEqual([results, messages.length], [[101, 2, 103], 2]);
  assert.equal(await remote.use(adder).add(4), 104);
  assert.equal(messages.length, 4);
});

test("a refusal keeps its code and details, and stops no other call of its turn", async () => {
  const { remote } = connected();
  const unknown = part("unknown", (_counted: Counted) => ({ add: async () => 0 }));
  const misspelt = part("adder", (_counted: Counted) => ({ sum: async () => 0 }));
  const inherited = part("adder", (_counted: Counted) => ({ valueOf: async () => false }));
  const outcomes = await Promise.allSettled([
    remote.use(adder).refuse(),
    remote.use(adder).fail(),
    remote.use(unknown).add(),
    remote.use(misspelt).sum(),
    remote.use(inherited).valueOf(),
    remote.use(other).add(2),
  ]);
  const [refused, failed, missing, noMethod, noOwn, fine] = outcomes;
  assert.ok(refused?.status === "rejected" && refused.reason instanceof ServiceError);
  assert.deepEqual([refused.reason.code, refused.reason.details], ["stream_closed", { stream_id: "str_1" }]);
  assert.match(String(failed?.status === "rejected" && failed.reason), /thrown at once/);
  assert.match(String(missing?.status === "rejected" && missing.reason), /there is no part unknown/);
  assert.match(String(noMethod?.status === "rejected" && noMethod.reason), /part adder has no method sum/);
  assert.match(String(noOwn?.status === "rejected" && noOwn.reason), /part adder has no method valueOf/);
  assert.deepEqual(fine, { status: "fulfilled", value: 2 });
});

test("at the end, waiting calls reject with StoreUncertain, and later calls with StoreUnavailable", async () => {
  const sent: Calls[] = [];
  const parts: RemoteParts<Counted> = new RemoteParts(
    (calls) => sent.push(calls),
    () => new StoreUnavailable("it has ended"),
  );
  const [crossed, unsent] = [parts.use(adder).add(1), Promise.withResolvers<void>()];
  setImmediate(() => unsent.resolve());
  await unsent.promise;
  const waiting = parts.use(adder).add(2);
  parts.end(new StoreUncertain());
  await assert.rejects(crossed, StoreUncertain);
  await assert.rejects(waiting, StoreUncertain);
  await assert.rejects(parts.use(adder).add(3), StoreUnavailable);
  assert.deepEqual(
    sent.flatMap(({ calls }) => calls.map(([, , , values]) => values)),
    [[1]],
  );
});
