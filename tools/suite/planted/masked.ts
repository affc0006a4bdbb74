/**
 * Source text with its strings and comments blanked, so that a change of an operator hits code. Every character keeps
 * its place. It knows no regular expressions: those with a quote in them end a line early, which costs a fault.
 */

/** A language with faults. */
export type Language = "go" | "python" | "ts";

/** Returns the language of a path. */
export function languageOf(path: string): Language {
  if (path.endsWith(".go")) return "go";
  return path.endsWith(".py") ? "python" : "ts";
}

/** By language: a comment or a string, whichever begins first. */
const HIDDEN: Readonly<Record<Language, RegExp>> = {
  go: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])+'/g,
  python: /#[^\n]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
  ts: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g,
};

/** Returns the text with an underscore for each hidden character but line ends; quotes stay. */
export function masked(text: string, language: Language): string {
  return text.replaceAll(HIDDEN[language], (all) => {
    const isText = /^["'`]/.test(all);
    const blank = all.replaceAll(/[^\n]/g, isText ? "_" : " ");
    return isText && all.length > 1 ? `${all[0]}${blank.slice(1, -1)}${all.at(-1)}` : blank;
  });
}
