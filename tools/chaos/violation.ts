/** A violation: something that must never happen. */
export class Violation extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Violation";
  }
}

export function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Violation(message);
}
