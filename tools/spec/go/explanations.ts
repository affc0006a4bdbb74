/** The texts of `svc explain`: explanations.json as slices of Go structs, in its order. */
import { file, slice, text } from "./source.ts";

interface Explanation {
  readonly summary: string;
  readonly points: readonly { readonly title: string; readonly text: string }[];
  readonly facts: object;
}

const PARTS = [
  ["problemTexts", "problems", "codes of reports"],
  ["errorTexts", "errors", "codes of the service"],
  ["checkTexts", "checks", "checks"],
  ["stepTexts", "steps", "steps of a verdict"],
  ["verdictTexts", "verdicts", "verdicts"],
] as const;

/** Returns the file of explanations. `spec`: the text of explanations.json. */
export function explanationsFile(spec: string): string {
  const parts = JSON.parse(spec) as Readonly<Record<string, Readonly<Record<string, Explanation>>>>;
  return file(
    "main",
    [],
    PARTS.map(([name, part, about]) =>
      slice(name, "explained", `${name} holds what is said of ${about}.`, Object.entries(parts[part] ?? {}).map(row)),
    ),
  );
}

function row([name, { summary, points, facts }]: readonly [string, Explanation]): string {
  const said = points.map((point) => `{${text(point.title)}, ${text(point.text)}}`).join(", ");
  return `{${text(name)}, ${text(summary)}, []point{${said}}, ${text(JSON.stringify(facts))}}`;
}
