/**
 * Parts: the capabilities of a program that record, as the parts that only ask for it see them. Arguments and results
 * of their methods are data, so that a part can be on another thread than its users.
 */

/** A part: its name among all parts of a program, and the making of it from the capabilities of those that record. */
export interface Part<Context, Methods extends object> {
  readonly name: string;
  readonly make: (context: Context) => Methods;
}

/** Returns a part. Every method that others call takes data and resolves to data. */
export function part<Context, Methods extends object>(
  name: string,
  make: (context: Context) => Methods,
): Part<Context, Methods> {
  return { name, make };
}

/** The methods of a part that others can call: those that resolve to something. */
export type Remote<Methods> = {
  readonly [Name in keyof Methods as Methods[Name] extends (...values: never[]) => Promise<unknown>
    ? Name
    : never]: Methods[Name];
};

/** The parts of a program, as their users see them. */
export interface Parts<Context> {
  /** Returns a part, or its stand-in, which sends each call to the thread of the part. */
  use<Methods extends object>(part: Part<Context, Methods>): Remote<Methods>;
}

/** Parts on the calling thread, each made when it is first used. */
export class PartsHere<Context> implements Parts<Context> {
  readonly #context: () => Context;
  readonly #made = new Map<string, object>();

  /** `context`: returns the capabilities that parts are made from; it is called when the first part is used. */
  constructor(context: () => Context) {
    this.#context = context;
  }

  use<Methods extends object>({ name, make }: Part<Context, Methods>): Methods {
    const known = this.#made.get(name) ?? make(this.#context());
    this.#made.set(name, known);
    return known as Methods;
  }
}
