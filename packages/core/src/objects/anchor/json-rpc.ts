/**
 * Calls of a chain's node and its answers, as JSON-RPC 2.0 and the Ethereum JSON-RPC specification write them. A node
 * is not trusted: an answer of another form, or to another call, does not count. This module sends nothing: the caller
 * reaches the network and words the faults by itself. Verifying needs none of it.
 */
import { parseUtf8 } from "../../encoding/utf8.ts";

const QUANTITY = /^0x[0-9a-f]{1,64}$/;
const DATA = /^0x(?:[0-9a-f]{2})*$/;

/** An answer to a call: its result, the node's words where it refuses, or in which way the answer is malformed. */
export type NodeAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly refusal: string }
  | { readonly ok: false; readonly malformed: "is no JSON-RPC" | "is of another call" | "has no result" };

/** Returns the text of a call. `id`: another one for each call. */
export function callText(id: number, method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** Reads the bytes of an answer to the call of this id. */
export function answerTo(id: number, bytes: Uint8Array): NodeAnswer {
  const answer = objectOf(bytes);
  if (answer === null || !("id" in answer)) return { ok: false, malformed: "is no JSON-RPC" };
  if (answer.id !== id) return { ok: false, malformed: "is of another call" };
  // Some nodes state that there is no error.
  if (answer.error != null) return { ok: false, refusal: wordsOf(answer.error) };
  return answer.result !== undefined ? { ok: true, result: answer.result } : { ok: false, malformed: "has no result" };
}

/** Returns a quantity; null for anything else. */
export function quantityOf(value: unknown): bigint | null {
  const text = lowerCase(value);
  return QUANTITY.test(text) ? BigInt(text) : null;
}

/** Returns a quantity of at most 2^53-1; null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = Number(quantityOf(value) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : null;
}

/** Returns bytes as lowercase hex with 0x, exactly `bytes` of them if that is given; null for anything else. */
export function dataOf(value: unknown, bytes?: number): string | null {
  const text = lowerCase(value);
  return DATA.test(text) && (bytes === undefined || text.length === 2 + 2 * bytes) ? text : null;
}

/** Returns a number as a quantity. */
export function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

interface StatedAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Returns the object or the list in an answer; null for a page and all else. */
function objectOf(bytes: Uint8Array): StatedAnswer | null {
  try {
    const parsed: unknown = JSON.parse(parseUtf8(bytes) ?? "");
    return typeof parsed === "object" ? parsed : null;
  } catch {
    return null;
  }
}

/** Returns what a node says is wrong, which may be anything, without control characters. */
function wordsOf(error: unknown): string {
  const { message, data } = (error ?? {}) as { readonly message?: unknown; readonly data?: unknown };
  const words = [message, data].filter((one) => typeof one === "string").join(" ");
  return words.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ") || "no reason";
}

function lowerCase(value: unknown): string {
  return typeof value === "string" ? value.toLowerCase() : "";
}
