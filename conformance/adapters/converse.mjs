/**
 * The conversation of an adapter: one request a line in, one answer a line out, in order (docs/conformance.md). An
 * adapter passes requests on to an implementation that does not speak the protocol itself. Plain JavaScript without
 * dependencies, since it travels with the kit. It does NOT read requests strictly: those are the runner's.
 */
import process from "node:process";

/** The answer for a case that the implementation has no words for. */
export const unsupported = (why) => ({ ok: false, code: "unsupported_op", message: why });

/** The answer for a request that lacks the form of the protocol. */
const malformed = (why) => ({ ok: false, code: "malformed_request", message: why });

/**
 * Answers every line until the input ends. `operations`: by name, the members that each takes beside `id` and `op`, and
 * a function of the request that resolves to an answer without its id; if it throws, the answer says so.
 */
export async function converse(operations) {
  for await (const line of lines(process.stdin)) {
    const { id = null, ...request } = JSON.parse(line);
    const answer = await answerTo(operations, request);
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`, resolve));
  }
}

/** Returns `verify` for `converse`. `run`: answers a request that has the form of the protocol. */
export function verifyOperation(run) {
  const takes = ["bytes", "kind", "trust", "links"];
  return { takes, run: (request) => faultOfVerify(request) ?? run(request) };
}

/** Returns the answer for a verify request that lacks the form of the protocol; null for one that has it. */
function faultOfVerify({ bytes, kind = "", trust, links = [] }) {
  if (typeof bytes !== "string" || Buffer.from(bytes, "base64").toString("base64") !== bytes)
    return malformed('"bytes" must be canonical base64 with padding');
  if (typeof kind !== "string") return malformed('"kind" must be a text');
  if (trust === null) return malformed('"trust" must be a trust policy, or be left out');
  return Array.isArray(links) ? null : malformed('"links" must be an array');
}

async function answerTo(operations, request) {
  const { op, ...members } = request;
  if (!Object.hasOwn(operations, op)) return unsupported("the adapter does not have this operation");
  const { takes, run } = operations[op];
  const other = Object.keys(members).find((name) => !takes.includes(name));
  if (other !== undefined) return malformed(`the operation takes no member ${JSON.stringify(other)}`);
  try {
    return await run(request);
  } catch (error) {
    return { ok: false, code: "internal_error", message: `the adapter failed: ${error.message}` };
  }
}

/** Yields the lines of a stream. `node:readline` would also break a line at other characters than the newline. */
async function* lines(input) {
  let begun = [];
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString();
      begun = [];
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
  }
  const last = Buffer.concat(begun).toString();
  if (last !== "") yield last;
}
