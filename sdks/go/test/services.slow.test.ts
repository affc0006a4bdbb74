/** The Go client's and queue's own tests against the real server, with races looked for, and on small machines. */
import { serverEnvironment } from "./service.ts";
import { go, goTest, SERVED } from "./toolchain.ts";

const server = await serverEnvironment();

goTest("the tests of client and queue pass, and find no race", () => {
  go(".", ["test", "-race", ...SERVED], { CGO_ENABLED: "1", ...server });
});

goTest("they pass on a processor of 32 bits", () => {
  go(".", ["test", ...SERVED], { GOARCH: "386", CGO_ENABLED: "0", ...server });
});

goTest("one processor and 200 MiB are enough for them", () => {
  go(".", ["test", "-count=1", ...SERVED], { GOMAXPROCS: "1", GOMEMLIMIT: "200MiB", ...server });
});
