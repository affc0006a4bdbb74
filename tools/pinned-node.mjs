// Refuses to run on any Node but the one that package.json pins. Without the pinned one on the PATH, pnpm silently falls back to
// the machine's own Node, and every result would then say something about another runtime.
import { readFileSync } from "node:fs";

const { devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
if (process.versions.node !== devDependencies.node) {
  console.error(
    `This needs Node ${devDependencies.node}, pinned in package.json, and runs on ${process.versions.node}. ` +
      "Start it through the package manager: npx -y pnpm@12 run <script>.",
  );
  process.exit(70);
}
