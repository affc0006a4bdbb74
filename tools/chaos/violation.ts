/** What must never happen, and has. */
export class Violation extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Violation";
  }
}

export function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Violation(message);
}
