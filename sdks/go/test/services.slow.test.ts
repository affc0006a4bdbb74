/** The Go client's and queue's own tests against the real server, a story among them, with races looked for. */
import { serverEnvironment } from "./service.ts";
import { go, goTest, SERVED } from "./toolchain.ts";

const server = await serverEnvironment();

goTest("the tests of client and queue pass, and find no race", () => {
  go(".", ["test", "-count=1", "-race", ...SERVED], { CGO_ENABLED: "1", ...server });
});
