/**
 * The packages that are mutated: which of their files, and which tests are tried. Paths are globs from the repository's
 * root.
 */

/** The mutated parts of a package. */
export interface Target {
  /** The package's folder, with `src`. */
  readonly project: string;
  /** The configuration that its sources are compiled under: a path from a folder two below the project. */
  readonly tsconfig: string;
  readonly sources: readonly string[];
  readonly leftOut: readonly string[];
  readonly tests: readonly string[];
  /** Modules that are loaded first: they make the tests quick. */
  readonly first: readonly string[];
  /** Slow files, left for `--slow`. */
  readonly slowFiles: readonly string[];
  /** Longer tests, in ms, are left for `--slow`. */
  readonly maxTestMs: number;
  /** The file that keeps the results of a run, below dist. */
  readonly lastRun: string;
}

/** The tests that start whole servers, in the judge's own process. */
const ON_SERVERS: Pick<Target, "tests" | "first" | "slowFiles" | "maxTestMs"> = {
  tests: ["packages/server/test/**/*.test.ts", "packages/host/test/**/*.test.ts"],
  first: ["tools/mutants/quick-kernels.ts", "tools/mutants/quick-time.ts"],
  // Real processes; and files whose tests are few and long, work on a million rows, or are about other folders.
  slowFiles: [
    "packages/server/test/**/!(downloads|export-builds|exports|lists|requests|sealing|verifications).slow.test.ts",
    "packages/server/test/{crash,commands/terminal,verify-page/verify-page}.test.ts",
    "packages/server/test/{event-log/event-log-lists.prop,metrics/metrics}.test.ts",
    "packages/server/test/{lists/repeated-reads,tenancy/access-log}.test.ts",
    "packages/server/test/{issuing-kernel.prop,migrations/migrations}.test.ts",
    "packages/host/test/{random,store/*}.test.ts",
  ],
  maxTestMs: 4000,
};

/** Each runs in the judge's process, and starts no other. */
export const TARGETS: Readonly<Record<string, Target>> = {
  core: {
    project: "packages/core",
    tsconfig: "../../tsconfig.json",
    sources: [
      "packages/core/src/{redact,find-fork,seal}.ts",
      "packages/core/src/verify/{verify,verifier,verify-all,read-in-bulk,kinds,cross-check}.ts",
      "packages/core/src/verify/{examine-bytes,derive-assurance,vaults}.ts",
      "packages/core/src/verify/truth-package/*.ts",
      "packages/core/src/report/{examination,expectations,bounds,difference,meaning,shape}.ts",
      "packages/core/src/report/{expected-reader,required-level,vault-words}.ts",
      "packages/core/src/{archive,objects,trust,vault,note,encoding}/**/*.ts",
    ],
    leftOut: [],
    // Only one test of the kernels, which are not mutated, is about core's own encodings.
    tests: ["packages/core/test/{*,{anchor,archive,assurance,capsule,ivc,vault}/*,kernel/encoding}.test.ts"],
    first: ["tools/mutants/quick-kernels.ts"],
    slowFiles: [
      "packages/core/test/{tamper,tamper-package,helpers,bulk-parts,provenance-bulk,never-throws}.slow.test.ts",
    ],
    maxTestMs: 3000,
    lastRun: "last-run.json",
  },
  server: {
    project: "packages/server",
    tsconfig: "../../../../tsconfig.json",
    sources: [
      "packages/server/src/{tenancy,idempotency,streams,exports,erasure,high-water-mark,data-folder}/**/*.ts",
      "packages/server/src/{keys,signing}/**/*.ts",
    ],
    leftOut: [
      // The first two run in threads, which know nothing of the switches; the third needs a PKCS#11 token.
      "packages/server/src/{exports/thread,signing/signing-thread,signing/token-keys}.ts",
      // The questions of fsck and doctor: their tests ask them once for each cell of each table, for minutes.
      "packages/server/src/*/{check-*,diagnose,rows-store,each-stream}.ts",
      // The making of a folder, tried by commands in separate processes, and on a full disk.
      "packages/server/src/data-folder/{data-folder,reserve}.ts",
      // The tests of metrics scrape running servers, for longer than a mutant has.
      "packages/server/src/*/metrics.ts",
      // A database of each earlier release is brought up to date, and looked at, by tests that take long.
      "packages/server/src/*/migrations/*.ts",
    ],
    ...ON_SERVERS,
    lastRun: "last-run-server.json",
  },
  // The parts of host that the server's security rests on.
  host: {
    project: "packages/host",
    tsconfig: "../../../../tsconfig.json",
    sources: ["packages/host/src/jobs/*.ts", "packages/host/src/keyed-hash.ts"],
    leftOut: ["packages/host/src/jobs/index.ts"],
    ...ON_SERVERS,
    lastRun: "last-run-host.json",
  },
};
