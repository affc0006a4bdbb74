/** The texts of the licences of the modules in a program: those who pass the program on have to pass them on too. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { releaseGo } from "./build.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const OWN = "svc.example/go";
/** Go comes without its licence from a package registry; this module of its authors has the same one. */
const OF_GO = "golang.org/x/sys";

/**
 * Resolves to one text: of our licence, and of each other module that `cmd/svc` requires. Rejects for a module
 * without any.
 */
export async function licenceTexts(modules: string): Promise<string> {
  const listed = await releaseGo(join(modules, "cmd/svc"), [
    "list",
    "-m",
    "-f",
    "{{.Path}} {{.Version}} {{.Dir}}",
    "all",
  ]);
  const parts = [part("svc", [join(ROOT, "LICENSE")])];
  for (const line of listed.trimEnd().split("\n")) {
    const [name = "", version = "", folder = ""] = line.split(" ");
    if (name === OWN || name.startsWith(`${OWN}/`)) continue;
    const files = readdirSync(folder).filter((file) => /^(LICEN[CS]E|NOTICE|PATENTS)/.test(file));
    if (!files.some((file) => file.startsWith("LICEN"))) throw new Error(`${name} has no licence in ${folder}`);
    const title = name === OF_GO ? `Go's standard library, and ${name} ${version}` : `${name} ${version}`;
    parts.push(
      part(
        title,
        files.sort().map((file) => join(folder, file)),
      ),
    );
  }
  return parts.join("\n");
}

function part(title: string, files: readonly string[]): string {
  return `${"=".repeat(title.length)}\n${title}\n${"=".repeat(title.length)}\n\n${files.map((file) => readFileSync(file, "utf8")).join("\n")}`;
}
