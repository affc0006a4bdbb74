/** The Go client's and queue's own tests against the real server, with races looked for, and on small machines. */
import { serverEnvironment } from "./service.ts";
import { go, goTest, SERVED } from "./toolchain.ts";

const server = await serverEnvironment();

goTest("the tests of client and queue pass, and find no race", () => {
  go(".", ["test", "-count=1", "-race", ...SERVED], { CGO_ENABLED: "1", ...server });
});

goTest("they pass on a small machine: a processor of 32 bits, one of them, and 200 MiB", () => {
  const env = { GOARCH: "386", CGO_ENABLED: "0", GOMAXPROCS: "1", GOMEMLIMIT: "200MiB" };
  go(".", ["test", "-count=1", ...SERVED], { ...env, ...server });
});
