/** The figures of a run, as Markdown: one row a folder, and where asked for, each mutant that lives. */
import { dirname, relative } from "node:path";
import type { Tried } from "./trial.ts";

/** The lines of the report. Files stand in it relative to `root`. */
export function table(tried: readonly Tried[], root: string, withSurvivors: boolean): string[] {
  const folders = Map.groupBy(tried, ({ mutant }) => dirname(relative(root, mutant.file)));
  const rows = [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([folder, ofFolder]) => row(folder, ofFolder));
  const lines = ["| folder | mutants | killed | survivors | % |", "|---|---|---|---|---|", ...rows, row("all", tried)];
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

/** Whether no test noticed a mutant. */
export function lives({ fate }: Tried): boolean {
  return fate === "survived" || fate === "uncovered";
}

function row(name: string, tried: readonly Tried[]): string {
  const survivors = tried.filter(lives).length;
  const killed = tried.length - survivors;
  const percent = tried.length === 0 ? "" : ((100 * killed) / tried.length).toFixed(1);
  return `| ${name} | ${tried.length} | ${killed} | ${survivors} | ${percent} |`;
}

/** Short, on one line, and with nothing in it that would end a cell. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const short = line.length > 80 ? `${line.slice(0, 77)}...` : line;
  return `\`${short.replaceAll("|", "\\|").replaceAll("`", "'")}\``;
}
