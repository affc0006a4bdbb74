/** The values in a node's answers, read strictly: another form than JSON-RPC says is a fault of the node. */
import { dataOf, numberOf, quantityOf } from "@svc/core/json-rpc";
import { AnchorFault } from "./anchor-fault.ts";

/** An object of an answer; its members are read by the functions of this file. */
export type NodeObject = Readonly<Record<string, unknown>>;

/** Returns an object, or null if the answer is null: the node has none. Throws AnchorFault for anything else. */
export function objectOrNull(value: unknown, what: string): NodeObject | null {
  if (value === null) return null;
  if (typeof value !== "object" || Array.isArray(value)) refuse(what);
  return value as NodeObject;
}

/** Returns an object. Throws AnchorFault for anything else. */
export function objectIn(value: unknown, what: string): NodeObject {
  const found = objectOrNull(value, what);
  if (found === null) refuse(what);
  return found;
}

/** Returns a list. Throws AnchorFault for anything else. */
export function listIn(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) refuse(what);
  return value;
}

/** Returns a quantity. Throws AnchorFault for anything else. */
export function quantityIn(value: unknown, what: string): bigint {
  return quantityOf(value) ?? refuse(what);
}

/** Returns a quantity of at most 2^53-1. Throws AnchorFault for anything else. */
export function numberIn(value: unknown, what: string): number {
  return numberOf(value) ?? refuse(what);
}

/** Returns bytes as lowercase hex with 0x, exactly `bytes` of them if that is given. Throws AnchorFault otherwise. */
export function dataIn(value: unknown, what: string, bytes?: number): string {
  return dataOf(value, bytes) ?? refuse(what);
}

function refuse(what: string): never {
  throw new AnchorFault("answer_malformed", `${what} in its answer has another form than JSON-RPC says`);
}
