/**
 * Looks for the program of a command before a shell starts it, so that a wrong name is a wrong call and no failure of
 * each case. It reads the first word only, and leaves to the shell what only a shell can read.
 */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** Settings before the program, then its name: bare, or in one pair of quotes. */
const FIRST_WORD =
  /^\s*(?:[A-Za-z_]\w*=[^\s'"$`\\]*\s+)*(?:"([^"$`\\]+)"|'([^']+)'|([^\s"'$`\\|&;<>(){}*?~#!=]+))(?=\s|$)/;
/** The words of a POSIX shell that are no programs. */
const SHELL_WORDS = new Set(
  (
    ". : break case cd command continue eval exec exit export for if read return set shift times trap ulimit umask " +
    "unset until while"
  ).split(" "),
);

/** Returns a sentence that says where the program was looked for; null if it is there, or only a shell can know. */
export function missingProgram(command: string, path = process.env.PATH ?? ""): string | null {
  const [, double, single, bare] = FIRST_WORD.exec(command) ?? [];
  const name = double ?? single ?? bare;
  if (name === undefined || SHELL_WORDS.has(name)) return null;
  const tried = name.includes("/") ? [name] : path.split(delimiter).map((folder) => join(folder || ".", name));
  const faults = tried.map((file) => [file, faultOf(file)] as const);
  if (faults.some(([, fault]) => fault === null)) return null;
  const list = faults.map(([file, fault]) => `  ${file}: ${fault}`).join("\n");
  const hint = name.includes("/") ? "" : `\nA program of this folder is called ./${name}.`;
  return `the program ${name} of --command is not there. Tried:\n${list}${hint}`;
}

/** Returns why a file cannot be started; null if it can. */
function faultOf(file: string): string | null {
  try {
    if (statSync(file).isDirectory()) return "a folder";
    accessSync(file, constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES") return "not executable";
    return code === "ENOENT" || code === "ENOTDIR" ? "not found" : `${code}`;
  }
}
