/**
 * Where faults are planted, and how many in each room. The Rust sources have none: a commit holds their compiled bytes,
 * and only the real tier compiles them anew. packages/testkit and the tests are no product.
 */
import { execFileSync } from "node:child_process";
import { extname } from "node:path";

/** A room of sources. */
export interface Room {
  readonly name: string;
  /** The number of faults that some test file must notice. */
  readonly faults: number;
  /** The paths of its sources, from the root of the repository. */
  readonly sources: RegExp;
}

const ofPackage = (name: string, faults: number): Room => ({
  name: `packages/${name}`,
  faults,
  sources: new RegExp(`^packages/${name}/src/.*\\.ts$`),
});

/** All rooms; their faults are 120. */
export const ROOMS: readonly Room[] = [
  ofPackage("core", 12),
  ofPackage("api", 5),
  ofPackage("report", 7),
  ofPackage("sdk", 8),
  ofPackage("cli", 12),
  ofPackage("host", 10),
  ofPackage("server", 13),
  ofPackage("witness", 7),
  ofPackage("web-verify", 6),
  ofPackage("wasm", 3),
  { name: "sdks/go", faults: 11, sources: /^sdks\/go\/.*\.go$/ },
  { name: "sdks/python", faults: 11, sources: /^sdks\/python\/src\/.*\.py$/ },
  { name: "sdks/pytest-svc", faults: 3, sources: /^sdks\/pytest-svc\/src\/.*\.py$/ },
  { name: "tools", faults: 3, sources: /^tools\/(?:api-page|chaos|mutants|sdk-reference|spec|suite)\/.*\.ts$/ },
  { name: "demo", faults: 3, sources: /^demo\/.*\.ts$/ },
  { name: "bench", faults: 3, sources: /^bench\/.*\.ts$/ },
  { name: "conformance", faults: 3, sources: /^conformance\/.*\.ts$/ },
];

/** Tests, programs that only tests run, and what a generator writes. */
const NO_SOURCE =
  /(?:^|\/)(?:test|tests|generated|_generated|puppet|kerneltest|svctest)\/|_test\.go$|_gen\.go$|\.d\.ts$/;
/** An index only exports, and this tool would change itself. */
const NO_CODE = /(?:^|\/)index\.ts$|^tools\/suite\/planted\//;

/** Returns the tracked sources of a room, in the order of their names. */
export function sourcesOf(room: Room, root: string): string[] {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  return tracked
    .split("\0")
    .filter((path) => room.sources.test(path) && !NO_SOURCE.test(path) && !NO_CODE.test(path) && extname(path) !== "");
}
