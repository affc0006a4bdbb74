/** Sentences of reports with their conditions, and the codes of the service's refusals. */
import type { Condition, Sentence, Tables } from "../tables.ts";
import { file, slice, text, texts } from "./source.ts";

/** Returns the file of the sentences. */
export function sentencesFile({ dimensions, proves, doesNotProve }: Tables): string {
  return file(
    "tables",
    [],
    [
      slice(
        "Dimensions",
        "Dimension",
        "Dimensions holds every dimension with all of its values; a number is more if no other value fits.",
        Object.entries(dimensions).map(([name, { values }]) => `{${text(name)}, ${texts(values)}}`),
      ),
      slice("Proves", "Sentence", "Proves holds what a verdict may show, in order.", proves.map(sentence)),
      slice(
        "DoesNotProve",
        "Sentence",
        "DoesNotProve holds what a verdict may leave open, in order.",
        doesNotProve.map(sentence),
      ),
    ],
  );
}

/** Returns the file of the service's errors. */
export function errorsFile({ errors }: Tables): string {
  return file(
    "tables",
    [],
    [
      slice(
        "ServiceErrors",
        "ServiceError",
        "ServiceErrors holds the codes of the service's refusals.",
        Object.entries(errors).map(
          ([code, { status, retryable, meaning, action }]) =>
            `{${text(code)}, ${status}, ${retryable}, ${text(meaning)}, ${text(action)}}`,
        ),
      ),
    ],
  );
}

/** Returns a sentence as an item of a slice. */
export function sentence({ text: said, when }: Sentence): string {
  return `{${text(said)}, []Condition{${when.map(condition).join(", ")}}}`;
}

function condition(one: Condition): string {
  const values = Object.entries(one).map(([dimension, list]) => `{${text(dimension)}, ${texts(list)}}`);
  return `{${values.join(", ")}}`;
}
