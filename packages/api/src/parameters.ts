/** Query parameters: how their texts are parsed and described. */
import { formats } from "@svc/core";
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "./limits.ts";

/** A query parameter. */
export interface Parameter<Value> {
  /** JSON Schema of the text. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly description: string;
  readonly required: boolean;
  /** Returns the value of a text, or of a missing parameter; a string says what is wrong. */
  readonly read: (text: string | null) => { readonly value: Value } | string;
}

const HASH = /^[0-9a-f]{64}$/;
/** The form of an Idempotency-Key. */
export const IDEMPOTENCY_KEY = new RegExp(`^[!-~]{1,${MAX_IDEMPOTENCY_KEY_CHARACTERS}}$`);
const ORDINAL = /^[1-9]\d{0,15}$/;

/** `true` or `false`; false by default. */
export function flag(description: string): Parameter<boolean> {
  return {
    schema: { type: "boolean", default: false },
    description,
    required: false,
    read: (text) =>
      text === null || text === "true" || text === "false" ? { value: text === "true" } : "must be true or false",
  };
}

/** A whole number from 1; null if it is missing. */
export function ordinal(description: string): Parameter<number | null> {
  return {
    schema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    description,
    required: false,
    read: (text) => {
      if (text === null) return { value: null };
      const value = ORDINAL.test(text) ? Number(text) : Number.NaN;
      return Number.isSafeInteger(value) ? { value } : `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`;
    },
  };
}

/** A hash in the form of evidence; null if it is missing. */
export function hash(description: string): Parameter<string | null> {
  return {
    schema: { type: "string", pattern: HASH.source },
    description,
    required: false,
    read: (value) => (value === null || HASH.test(value) ? { value } : "must be 64 lowercase hex characters"),
  };
}

/** One of some words; null if it is missing. */
export function choice<const Word extends string>(words: readonly Word[], description: string): Parameter<Word | null> {
  return {
    schema: { type: "string", enum: words },
    description,
    required: false,
    read: (text) => {
      const value = words.find((word) => word === text) ?? null;
      return text === null || value !== null ? { value } : `must be one of ${words.join(", ")}`;
    },
  };
}

/** Any text; null if it is missing. */
export function text(description: string): Parameter<string | null> {
  return { schema: { type: "string" }, description, required: false, read: (value) => ({ value }) };
}

/** A time in the form of sources; null if it is missing. */
export function time(description: string): Parameter<string | null> {
  return {
    schema: { type: "string", format: "source-time" },
    description,
    required: false,
    read: (text) => {
      if (text === null || formats["source-time"]?.(text) === true) return { value: text };
      return "must be a time as 2026-03-01T10:15:30Z, or with an offset, whose + is written %2B here";
    },
  };
}

/** An Idempotency-Key; null if it is missing. */
export function idempotencyKey(description: string): Parameter<string | null> {
  return {
    schema: { type: "string", pattern: IDEMPOTENCY_KEY.source },
    description,
    required: false,
    read: (value) =>
      value === null || IDEMPOTENCY_KEY.test(value)
        ? { value }
        : `must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters without spaces`,
  };
}

/** Any text, required. */
export function requiredText(description: string): Parameter<string> {
  return {
    schema: { type: "string" },
    description,
    required: true,
    read: (value) => (value === null ? `is missing: ${description}` : { value }),
  };
}
