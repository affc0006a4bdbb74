/** Level 0, the handshake: what the program says that it is, and the protocol that it speaks. */
import { PROTOCOL } from "../../../packages/core/src/protocol.ts";
import { escapeText, shortened } from "../escape.ts";
import { isObject, type Json } from "../json.ts";
import { type Difference, difference, fault } from "../judge/difference.ts";
import type { Reply } from "../program/reply.ts";

/** The names of level 0, which no case has. */
export const HELLO = "0/handshake/hello";
export const END = "0/handshake/end";

/** The program's own statement, texts shortened and escaped; a member that it does not state is null. */
export interface Implementation {
  readonly implementation: string | null;
  readonly version: string | null;
  readonly kernel_sha256: string | null;
  readonly protocol: string | null;
  readonly ops: readonly string[];
}

export interface Handshake {
  /** Null if the program does not say, or not in the form of `hello`. */
  readonly implementation: Implementation | null;
  readonly state: "passed" | "failed" | "unsupported";
  readonly differences: readonly Difference[];
}

/** Reads the reply to `hello`. A program without it is run all the same. */
export function handshakeOf(reply: Reply): Handshake {
  if ("fault" in reply) return { implementation: null, state: "failed", differences: [fault(reply.fault)] };
  const { answer } = reply;
  if (answer.ok === false && answer.code === "unsupported_op")
    return { implementation: null, state: "unsupported", differences: [] };
  if (answer.ok !== true) {
    const given = typeof answer.code === "string" ? answer.code : null;
    return {
      implementation: null,
      state: "failed",
      differences: [difference("/ok", "true, or unsupported_op", given)],
    };
  }
  const { implementation, version, kernel_sha256, protocol, ops } = answer;
  const differences: Difference[] = [];
  if (protocol !== PROTOCOL) differences.push(difference("/protocol", PROTOCOL, plain(protocol)));
  for (const [name, value] of Object.entries({ implementation, version }))
    if (typeof value !== "string") differences.push(difference(`/${name}`, "a text", plain(value)));
  if (kernel_sha256 !== null && !(typeof kernel_sha256 === "string" && /^[0-9a-f]{64}$/.test(kernel_sha256)))
    differences.push(difference("/kernel_sha256", "64 lowercase hex characters, or null", plain(kernel_sha256)));
  const isList = Array.isArray(ops) && ops.every((op) => typeof op === "string");
  if (!isList) differences.push(difference("/ops", "an array of texts", plain(ops)));
  const stated: Implementation = {
    implementation: text(implementation),
    version: text(version),
    kernel_sha256: text(kernel_sha256),
    protocol: text(protocol),
    ops: isList ? ops.slice(0, 100).map((op: string) => text(op) ?? "") : [],
  };
  return { implementation: stated, state: differences.length === 0 ? "passed" : "failed", differences };
}

/** An object in place of a text may nest without end, and is not shown. */
function plain(value: Json | undefined): Json | undefined {
  return Array.isArray(value) || isObject(value) ? "an object or array" : value;
}

function text(value: Json | undefined): string | null {
  return typeof value === "string" ? escapeText(shortened(value, 100)) : null;
}
