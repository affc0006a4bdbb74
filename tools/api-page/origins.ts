/**
 * Where the shell variables of the examples come from: a page says which of its variables commands of other pages keep.
 */
import type { Example } from "./example.ts";
import { titleOf } from "./families.ts";

/** The variables of commands, and the pages on which commands keep them. */
export class Origins {
  readonly #first: string;
  readonly #kept = new Map<string, string>();
  readonly #used = new Map<string, Map<string, string>>();

  /** `first`: the page that every reader has seen. */
  constructor(first: string) {
    this.#first = first;
  }

  /** Notes the variables that a command on a page uses, and those that it keeps. */
  note(page: string, { command, keep = {}, serves }: Pick<Example, "command" | "keep" | "serves">): void {
    for (const [, name = ""] of command.matchAll(/\$([A-Z][A-Z_]*)/g)) {
      const from = this.#kept.get(name);
      if (from === undefined || from === page || from === this.#first) continue;
      this.#used.set(page, (this.#used.get(page) ?? new Map<string, string>()).set(name, from));
    }
    for (const name of [...Object.keys(keep), ...(serves === undefined ? [] : [serves.variable])])
      if (!this.#kept.has(name)) this.#kept.set(name, page);
  }

  /** Returns the sentence about the variables that a page has from others than the first; none without any. */
  on(page: string): string[] {
    const from = Map.groupBy(this.#used.get(page) ?? [], ([, origin]) => origin);
    const told = [...from].map(([origin, names]) => {
      const title = titleOf(origin.replace(/\.md$/, "")).title;
      return `${names.map(([name]) => `\`$${name}\``).join(", ")} from [${title}](${origin})`;
    });
    return told.length === 0 ? [] : [`The commands of this page use ${told.join("; ")}.`];
  }
}
