/** An argument that shells complete with words that they know. Its help does not list them: they are too many. */
import { Argument } from "commander";

export class KnownWord extends Argument {
  readonly words: readonly string[];

  /** `name` as commander has it, in brackets. Other words than the known ones are not refused. */
  constructor(name: string, description: string, words: readonly string[]) {
    super(name, description);
    this.words = words;
  }
}
