/** The figures of a run, as Markdown: one row a folder, and on request each mutant that lives. */
import { dirname, relative } from "node:path";
import type { Tried } from "./trial.ts";

/** Returns the lines of the report. File names are relative to `root`. */
export function table(tried: readonly Tried[], root: string, withSurvivors: boolean): string[] {
  const folders = Map.groupBy(tried, ({ mutant }) => dirname(relative(root, mutant.file)));
  const rows = [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([folder, ofFolder]) => row(folder, ofFolder));
  const head = ["| folder | mutants | do not compile | killed | survivors | % |", "|---|---|---|---|---|---|"];
  const lines = [...head, ...rows, row("all", tried)];
  if (!withSurvivors) return lines;
  return [
    ...lines,
    "",
    "| mutant | change | |",
    "|---|---|---|",
    ...tried.filter(lives).map(({ mutant, fate }) => {
      const { file, line, column, original, replacement } = mutant;
      const change = `${code(original)} → ${code(replacement)}`;
      return `| ${relative(root, file)}:${line}:${column} | ${change} | ${fate} |`;
    }),
  ];
}

/** Says whether no test noticed a mutant. */
export function lives({ fate }: Tried): boolean {
  return fate === "survived" || fate === "uncovered";
}

/** A mutant that does not compile is no program, and counts neither way. */
function row(name: string, tried: readonly Tried[]): string {
  const programs = tried.filter(({ fate }) => fate !== "refused").length;
  const survivors = tried.filter(lives).length;
  const percent = programs === 0 ? "" : ((100 * (programs - survivors)) / programs).toFixed(1);
  return (
    `| ${name} | ${tried.length} | ${tried.length - programs} | ${programs - survivors} | ${survivors} | ` +
    `${percent} |`
  );
}

/** Returns code in short form, on one line, without characters that would end a cell. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const short = line.length > 80 ? `${line.slice(0, 77)}...` : line;
  return `\`${short.replaceAll("|", "\\|").replaceAll("`", "'")}\``;
}
