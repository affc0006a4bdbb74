// Runs a script of package.json: installs the packages of tools/ that it needs, then runs its steps under the pinned
// Node, until one fails. Further arguments go to the last step: `npx -y pnpm@12 run bench cli start`. Plain Node,
// because it runs before anything is installed.
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { whenNpxIsGone } from "./npx.mjs";
import { runAtTerminal, runInGroup } from "./process-group.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The PATH of every step: Go of tools/go, once it is installed, comes before another one. */
const PATH = [join(ROOT, "tools/go/node_modules/go/bin"), process.env.PATH].join(delimiter);
/** Node keeps compiled modules here: our sources are TypeScript, which it would strip of types anew in each process. */
const NODE_COMPILE_CACHE = join(ROOT, "node_modules/.cache/compiled");
const PINNED = new URL("pinned-node.mjs", import.meta.url).href;

/** Programs for a person: they ask at the terminal, drain after Ctrl-C, and start no others. */
const AT_TERMINAL = ["platform", "start", "svc", "svc-platform", "svc-server", "svc-witness"];

/** Tests, benches and chaos start and import what is in these. */
const TESTS = ["compiler", "programs", "test-tools"];

/** Returns the arguments for one of our modules, in TypeScript. */
const ours = (...words) => ["--import", PINNED, ...words];
const types = (project) => ["node_modules/typescript-7/bin/tsc", "--noEmit", "-p", project];
const biome = (...words) => ["tools/compiler/node_modules/@biomejs/biome/bin/biome", ...words];

/**
 * By name: the packages of tools/ that a script needs, and its steps, each as the arguments of Node. `says`: the
 * message that comes first, where a step is silent for long.
 *
 * @type {Readonly<Record<string, { readonly tools: readonly string[], readonly says?: string,
 *   readonly steps: readonly (readonly string[])[] }>>}
 */
export const SCRIPTS = {
  bench: { tools: TESTS, steps: [ours("bench/main.ts")] },
  build: { tools: ["compiler"], steps: [ours("tools/build.ts")] },
  "build:go": { tools: ["go"], steps: [ours("sdks/go/release/main.ts")] },
  "build:platform": { tools: [], steps: [ours("packages/platform/build.ts")] },
  "build:server": { tools: [], steps: [ours("packages/server/build.ts")] },
  "build:witness": { tools: [], steps: [ours("packages/witness/build.ts")] },
  chaos: { tools: TESTS, steps: [ours("tools/chaos/main.ts")] },
  "chaos:downloads": { tools: TESTS, steps: [ours("tools/chaos/downloads/main.ts")] },
  "chaos:pause": { tools: TESTS, steps: [ours("tools/chaos/pause/main.ts")] },
  "chaos:power": { tools: TESTS, steps: [ours("tools/chaos/power/main.ts")] },
  "chaos:queue": { tools: TESTS, steps: [ours("tools/chaos/queue/main.ts")] },
  "chaos:store": { tools: TESTS, steps: [ours("tools/chaos/store/main.ts")] },
  "chaos:witness": { tools: TESTS, steps: [ours("tools/chaos/witness/main.ts")] },
  "chaos:timing": { tools: TESTS, steps: [ours("tools/chaos/timing/main.ts")] },
  conformance: { tools: [], steps: [ours("conformance/main.ts")] },
  "conformance:cases": { tools: [], steps: [ours("conformance/generate/main.ts")] },
  "conformance:pack": { tools: [], steps: [ours("conformance/pack.ts")] },
  "conformance:results": { tools: TESTS, steps: [ours("conformance/results/main.ts")] },
  "conformance:sealed": { tools: [], steps: [ours("conformance/sealed/main.ts")] },
  contract: { tools: ["test-tools"], steps: [ours("tools/contract/main.ts")] },
  demo: { tools: [], steps: [ours("demo/main.ts")] },
  "docs:api": { tools: ["test-tools"], steps: [ours("tools/api-page/main.ts")] },
  "docs:sdk": { tools: ["compiler"], steps: [ours("tools/sdk-reference/main.ts")] },
  fixtures: { tools: [], steps: [ours("fixtures/generate.ts")] },
  format: { tools: ["compiler"], steps: [biome("format", "--write", ".")] },
  "kernel:build": { tools: [], steps: [ours("packages/wasm/toolchain/build.ts")] },
  "kernel:fuzz": { tools: [], steps: [ours("packages/wasm/toolchain/fuzz.ts")] },
  "kernel:lint": { tools: [], steps: [ours("packages/wasm/toolchain/check.ts", "lint")] },
  "kernel:test": { tools: [], steps: [ours("packages/wasm/toolchain/check.ts", "test")] },
  "kernel:verify": { tools: [], steps: [ours("packages/wasm/toolchain/verify.ts")] },
  lint: {
    tools: TESTS,
    steps: [
      biome("check", "--error-on-warnings", "."),
      ours("tools/check-repo.ts"),
      ours("tools/write-verdicts.ts", "--check"),
      ours("tools/spec/main.ts", "--check"),
      ours("tools/contract/main.ts", "--check"),
      ours("docs/worked-example/write.ts", "--check"),
      ours("fixtures/generate.ts", "--check"),
      ours("conformance/generate/main.ts", "--check"),
      ours("packages/wasm/toolchain/verify.ts", "--no-rebuild"),
    ],
  },
  mutants: { tools: TESTS, steps: [ours("tools/mutants/main.ts")] },
  platform: {
    tools: [],
    says: "Building the page that the server sends; the server starts behind that, in some seconds.",
    steps: [ours("packages/web-verify/build.ts"), ours("packages/platform/src/main.ts", "start")],
  },
  soak: { tools: TESTS, steps: [ours("bench/server/soak.ts")] },
  spec: { tools: [], steps: [ours("tools/spec/main.ts")] },
  start: {
    tools: [],
    says: "Building the page that the server sends; the server starts behind that, in some seconds.",
    steps: [ours("packages/web-verify/build.ts"), ours("packages/server/src/main.ts", "start")],
  },
  svc: { tools: [], steps: [ours("packages/cli/src/main.ts")] },
  "svc-platform": { tools: [], steps: [ours("packages/platform/src/main.ts")] },
  "svc-server": { tools: [], steps: [ours("packages/server/src/main.ts")] },
  "svc-witness": { tools: [], steps: [ours("packages/witness/src/main.ts")] },
  test: { tools: TESTS, steps: [ours("tools/suite/main.ts", "quick")] },
  "test:again": { tools: TESTS, steps: [ours("tools/suite/again.ts")] },
  "test:chosen": { tools: TESTS, steps: [ours("tools/suite/main.ts", "chosen")] },
  "test:planted": { tools: [...TESTS, "go"], steps: [ours("tools/suite/planted/main.ts")] },
  "test:real": { tools: TESTS, steps: [ours("tools/suite/main.ts", "real")] },
  "test:slow": { tools: TESTS, steps: [ours("tools/suite/main.ts", "slow")] },
  "test:whole": { tools: TESTS, steps: [ours("tools/suite/whole.ts")] },
  tools: { tools: TESTS, steps: [] },
  types: {
    tools: TESTS,
    steps: [
      types("."),
      types("packages/wasm"),
      types("packages/core"),
      types("packages/api"),
      types("packages/sdk/src/browser"),
      types("packages/web-verify"),
    ],
  },
  verdicts: { tools: [], steps: [ours("tools/write-verdicts.ts")] },
  "worked-example": { tools: [], steps: [ours("docs/worked-example/write.ts")] },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [name, ...words] = process.argv.slice(2);
  const script = Object.hasOwn(SCRIPTS, name ?? "") ? SCRIPTS[name] : null;
  if (script === null) {
    console.error(`There is no script ${name}. There are: ${Object.keys(SCRIPTS).join(", ")}.`);
    process.exit(64);
  }
  const { tools, steps, says } = script;
  if (says !== undefined) console.error(says);
  const install = tools.length === 0 ? [] : [[join(ROOT, "tools/install-tools.mjs"), ...tools]];
  const last = steps.length - 1;
  const options = { cwd: ROOT, stdio: "inherit", env: { ...process.env, PATH, NODE_COMPILE_CACHE } };
  const run = AT_TERMINAL.includes(name) ? runAtTerminal : runInGroup;
  whenNpxIsGone(() => process.kill(process.pid, "SIGTERM"));
  for (const step of [...install, ...steps.map((step, index) => (index === last ? [...step, ...words] : step))]) {
    const code = await run(process.execPath, step, options);
    if (code !== 0) process.exit(code);
  }
}
