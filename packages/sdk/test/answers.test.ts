/** Answers that no honest service gives: without an end, of another server, with members of the wrong kind. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { type ClientOptions, SvcClient, SvcError } from "../src/index.ts";
import { collect } from "./collect.ts";

/** Returns a client whose service gives this answer. */
function answered(answer: typeof fetch, options: Partial<ClientOptions> = {}): SvcClient {
  return new SvcClient({ baseUrl: "http://127.0.0.1:1", fetch: answer, maxAttempts: 1, ...options });
}

const json = (body: unknown, status = 200) => answered(async () => Response.json(body, { status }));

/** Returns a body without an end, and whether its reader cancelled it. */
function endless() {
  const state = { given: 0, isCancelled: false };
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        state.given += 1;
        controller.enqueue(new Uint8Array(1000).fill(0x20));
      },
      cancel: () => {
        state.isCancelled = true;
      },
    });
  return { state, body };
}

test("an answer without an end is read to the limit, whatever its status", async () => {
  for (const status of [200, 422]) {
    const { state, body } = endless();
    const client = answered(async () => new Response(body(), { status }), { maxAnswerBytes: 5000 });
    await assert.rejects(client.health(), (error) => {
      assert.ok(error instanceof SvcError);
      assert.deepEqual([error.code, error.status, error.retryable], ["answer_too_large", status, false]);
      return true;
    });
    assert.ok(state.isCancelled && state.given < 10, `${state.given} pieces`);
  }
  const { state, body } = endless();
  const ticket = { path: "/v1/exports/x", access_id: "a", file_name: "x.zip", size_bytes: 1, sha256: "00" };
  const answers = [Response.json(ticket), new Response(body(), { status: 410 })];
  const client = answered(async () => answers.shift() ?? assert.fail(), { maxAnswerBytes: 5000 });
  await assert.rejects(client.exports.download("exp_1"), { code: "answer_too_large", status: 410 });
  assert.ok(state.isCancelled);
});

test("an answer of as many bytes as are allowed is read", async () => {
  const body = JSON.stringify({ status: "ok", version: "0.5.0" });
  const within = (maxAnswerBytes: number) => answered(async () => new Response(body), { maxAnswerBytes }).health();
  assert.equal((await within(body.length)).status, "ok");
  await assert.rejects(within(body.length - 1), { code: "answer_too_large" });
});

test("a body that stops in the middle ends with the timeout", async () => {
  const stuck = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([0x7b])) });
  const client = answered(async () => new Response(stuck()), { timeoutMs: 20 });
  await assert.rejects(client.health(), (error) => {
    assert.ok(error instanceof SvcError && error.code === "no_answer" && error.retryable);
    assert.equal((error.cause as Error).name, "TimeoutError");
    return true;
  });
});

test("refusals that are another server's have a code all the same", async () => {
  for (const detail of ["Not Found", [{ msg: "wrong" }], {}, { code: 7, message: "x" }, { code: "x" }, null, undefined])
    await assert.rejects(json({ detail }, 422).health(), { name: "SvcError", code: "unexpected_answer", status: 422 });
});

test("a download that would lead to another host is not followed", async () => {
  for (const path of ["@other.example/x", ".other.example/x", "http://other.example/", "", undefined, 7]) {
    let asked = 0;
    const client = answered(async () => {
      asked += 1;
      return Response.json({ path, access_id: "a", file_name: "x.zip", size_bytes: 1, sha256: "00" });
    });
    await assert.rejects(client.exports.download("exp_1"), { name: "SvcError", code: "unexpected_answer" });
    assert.equal(asked, 1, `${path}`);
  }
});

test("names of prototypes are members like others", async () => {
  const client = answered(async () => new Response('{"__proto__": {"status": "polluted"}, "constructor": 1}'));
  const answer = await client.health();
  assert.deepEqual(Object.keys(answer), ["__proto__", "constructor"]);
  assert.equal(answer.status, undefined);
  assert.equal(({} as { status?: unknown }).status, undefined);
});

test("invalid limits are refused when the client is made", () => {
  const made = (options: Partial<ClientOptions>) => () => new SvcClient({ baseUrl: "http://127.0.0.1:1", ...options });
  for (const none of [Number.NaN, 0, -1]) {
    assert.throws(made({ timeoutMs: none }), RangeError);
    assert.throws(made({ maxAttempts: none }), RangeError);
    assert.throws(made({ maxAnswerBytes: none }), RangeError);
  }
  // A timer of that length would go off at once.
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31])
    assert.throws(made({ timeoutMs }), /timeoutMs is a number/);
  assert.doesNotThrow(made({ timeoutMs: 2 ** 31 - 1, maxAttempts: Number.POSITIVE_INFINITY }));
});

test("a list that leads in a circle ends with an error, however long the circle", async () => {
  for (const length of [1, 2, 3, 7, 100]) {
    let asked = 0;
    const client = answered(async () => {
      asked += 1;
      assert.ok(asked < 10 * length + 10, "it goes on for ever");
      return Response.json({ items: [asked], next_cursor: `page ${asked % length}` });
    });
    await assert.rejects(collect(client.streams()), { name: "SvcError", code: "unexpected_answer" });
  }
});

test("a long list is gone over to its end", async () => {
  let asked = 0;
  const client = answered(async () => {
    asked += 1;
    return Response.json({ items: [asked], next_cursor: asked === 300 ? null : `${asked}` });
  });
  assert.equal((await collect(client.streams())).length, 300);
});

test("a list is gone over to its end through pages that are short or empty", async () => {
  const pages = [[], [1], [], [], [2, 3], []];
  let asked = 0;
  const client = answered(async (url) => {
    assert.equal(new URL(`${url}`).searchParams.get("cursor"), asked === 0 ? null : `page ${asked}`);
    const items = pages[asked];
    asked += 1;
    return Response.json({ items, next_cursor: asked === pages.length ? null : `page ${asked}` });
  });
  assert.deepEqual(await collect(client.log.events({ type: "rare" })), [1, 2, 3]);
});

test("a list of empty pages that lead on and on to the same place ends with an error", async () => {
  let asked = 0;
  const client = answered(async () => {
    asked += 1;
    return Response.json({ items: [], next_cursor: "on" });
  });
  await assert.rejects(collect(client.streams()), { name: "SvcError", code: "unexpected_answer" });
  assert.ok(asked < 5, `${asked} requests`);
});

test("a malformed page is refused, awaited or gone over", async () => {
  const pages = [
    {},
    { items: {}, next_cursor: null },
    { items: [] },
    { items: [1] },
    { items: [1], next_cursor: 7 },
    { items: [], next_cursor: 7 },
  ];
  for (const page of pages) {
    const client = json(page);
    const lists: (AsyncIterable<unknown> & PromiseLike<unknown>)[] = [
      client.streams(),
      client.stream("str_1").events(),
      client.log.events(),
    ];
    for (const list of lists) {
      await assert.rejects(
        Promise.resolve(list),
        { name: "SvcError", code: "unexpected_answer" },
        JSON.stringify(page),
      );
      await assert.rejects(collect(list), { name: "SvcError", code: "unexpected_answer" }, JSON.stringify(page));
    }
  }
});

test("a stream without a name is the caller's mistake", () => {
  const client = json({});
  for (const none of ["", undefined])
    assert.throws(() => client.stream(none as string), { name: "TypeError", message: /stream_id/ });
});

test("the error for a missing answer names the cause", async () => {
  const cause = Object.assign(new Error(""), { code: "ECONNREFUSED" });
  const client = answered(async () => {
    throw new TypeError("fetch failed", { cause });
  });
  await assert.rejects(client.health(), { code: "no_answer", message: /fetch failed \(ECONNREFUSED\)$/ });
});

test("a download leaves nothing on its signal, however it ends", async () => {
  const ticket = { path: "/v1/exports/x", access_id: "a", file_name: "x.zip", size_bytes: 1, sha256: "00" };
  const broken = () =>
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("it breaks off")) });
  const download = async (body: string | ReadableStream<Uint8Array> | null, status = 200) => {
    const answers = [Response.json(ticket), new Response(body, { status })];
    const client = answered(async () => answers.shift() ?? assert.fail());
    return (await client.exports.download("exp_1", { signal })).stream;
  };
  const { signal } = new AbortController();
  const whole = await download("bytes");
  assert.equal(getEventListeners(signal, "abort").length, 1, "the signal ends a stream that has begun");
  assert.equal(await new Response(whole).text(), "bytes");
  assert.equal(getEventListeners(signal, "abort").length, 0, "after the end");
  await (await download("bytes")).cancel();
  assert.equal(getEventListeners(signal, "abort").length, 0, "after a caller that wants no more");
  await assert.rejects(new Response(await download(broken())).text(), /breaks off/);
  assert.equal(getEventListeners(signal, "abort").length, 0, "after a failure");
  await assert.rejects(download("no", 410), SvcError);
  assert.equal(getEventListeners(signal, "abort").length, 0, "after a refusal");
  await download(null);
  assert.equal(getEventListeners(signal, "abort").length, 0, "without a body");
});

test("its signal ends a download that has begun", async () => {
  const ticket = { path: "/v1/exports/x", access_id: "a", file_name: "x.zip", size_bytes: 1, sha256: "00" };
  const stop = new AbortController();
  let ending: AbortSignal | undefined;
  const answers = [async () => Response.json(ticket), async () => new Response(endless().body())];
  const client = answered(async (_url, init) => {
    ending = init?.signal ?? undefined;
    return (answers.shift() ?? assert.fail)();
  });
  const { stream } = await client.exports.download("exp_1", { signal: stop.signal });
  await stream.getReader().read();
  stop.abort(new Error("enough"));
  assert.equal(ending?.aborted, true);
});
