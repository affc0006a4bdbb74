/** The Go SDK's own tests on a small machine: a processor of 32 bits, one of them, and 200 MiB. */
import { go, goTest, SERVERLESS } from "./toolchain.ts";

goTest("all is found and refused alike on a small machine", () => {
  const env = { GOARCH: "386", CGO_ENABLED: "0", GOMAXPROCS: "1", GOMEMLIMIT: "200MiB" };
  go(".", ["vet", "./..."], env);
  go(".", ["test", "-timeout", "0", "-count=1", ...SERVERLESS], env);
});
