/** The Go SDK's own tests on a small machine: a processor of 32 bits, one of them, and 200 MiB. */
import { serverEnvironment } from "./service.ts";
import { go, goTest, SERVED, SERVERLESS } from "./toolchain.ts";

const SMALL = { GOARCH: "386", CGO_ENABLED: "0", GOMAXPROCS: "1", GOMEMLIMIT: "200MiB" };

goTest("all is found and refused alike on a small machine", () => {
  go(".", ["vet", "./..."], SMALL);
  go(".", ["test", "-timeout", "0", "-count=1", ...SERVERLESS], SMALL);
});

goTest("client and queue pass there too, with the real server", async () => {
  go(".", ["test", "-count=1", ...SERVED], { ...SMALL, ...(await serverEnvironment()) });
});
