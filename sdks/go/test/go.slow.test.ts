/** The Go SDK's own tests, and what Go's analysers say of it. */
import { go, goTest, MODULES, SERVERLESS, succeed } from "./toolchain.ts";

for (const module of MODULES) {
  goTest(`go vet finds nothing in ${module}`, () => {
    go(module, ["vet", "./..."]);
  });
  goTest(`staticcheck finds nothing in ${module}`, () => {
    const staticcheck = go("analysis", ["tool", "-n", "staticcheck"], { GOWORK: "off" }).trim();
    succeed([staticcheck, "./..."], module);
  });
  goTest(`the tests of ${module} pass`, () => {
    // fixtures.slow.test.ts verifies every fixture.
    const words = module === "." ? ["-skip", "^TestFixtures$", ...SERVERLESS] : ["./..."];
    go(module, ["test", "-count=1", ...words]);
  });
}
