/** The Go SDK's own tests with races looked for. */
import { go, goTest, MODULES, SERVERLESS } from "./toolchain.ts";

for (const module of MODULES)
  goTest(`the tests of ${module} find no race`, () => {
    const packages = module === "." ? SERVERLESS : ["./..."];
    // Compiled WebAssembly takes minutes between calls that are watched, so there the concurrent ones alone are.
    const run = module === "wasmkernel" ? ["-run", "^TestConcurrent"] : [];
    go(module, ["test", "-timeout", "0", "-count=1", "-race", ...run, ...packages], { CGO_ENABLED: "1" });
  });
