/**
 * Types of the events that a program records of itself, in streams of its tenants: each belongs to the family that
 * records it, says what its payload holds, and has an example.
 */
import type { Static, TSchema } from "typebox";

/** A value that nobody changes. */
export type Immutable<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
  : Value;

/** A type of event. */
export interface EventType<Payload extends TSchema = TSchema> {
  /** Its name in evidence, such as `event.erased`: what it is about, a dot, and what was done. */
  readonly name: string;
  /** The purpose of the stream that it is recorded in. */
  readonly purpose: string;
  /** A sentence that says what was done. */
  readonly meaning: string;
  /** Ids, times, hashes and reasons; never a secret, an address or an erased value. */
  readonly payload: Payload;
  readonly example: Immutable<Static<Payload>>;
}
