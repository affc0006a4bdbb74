// Loaded before each test file of a run, which then starts in half of the time: libraries are one module each, our own
// modules are found without looking for them, and the threads of a server run the built programs. Without the run's
// variable it does nothing. Plain JavaScript, because nothing is to be loaded for it.
import { registerHooks, syncBuiltinESMExports } from "node:module";

/** By specifier, and by the source of a thread: the URLs of the modules that the run has bundled. */
const { libraries = {}, threads = {} } = JSON.parse(process.env.SVC_TEST_MODULES ?? "{}");
const OURS = new URL("../..", import.meta.url).href;

/** By specifier of one of our packages: its module, which is the same wherever it is imported. */
const packages = new Map();

if (process.env.SVC_TEST_MODULES !== undefined) {
  registerHooks({ resolve });
  const workers = process.getBuiltinModule("node:worker_threads");
  workers.Worker = class extends workers.Worker {
    constructor(program, ...options) {
      const bundled = threads[`${program}`];
      super(bundled === undefined ? program : new URL(bundled), ...options);
    }
  };
  syncBuiltinESMExports();
}

function resolve(specifier, context, next) {
  const { parentURL = "" } = context;
  if (!parentURL.startsWith(OURS) || parentURL.includes("/node_modules/")) return next(specifier, context);
  const library = libraries[specifier];
  // Bundling asks in the name of a manifest, also where this hook is loaded already.
  if (library !== undefined && !parentURL.endsWith("/package.json"))
    return { url: library, format: "module", shortCircuit: true };
  if (/^\..*\.ts$/.test(specifier))
    return { url: new URL(specifier, parentURL).href, format: "module-typescript", shortCircuit: true };
  if (!specifier.startsWith("@svc/")) return next(specifier, context);
  const found = packages.get(specifier) ?? next(specifier, context);
  packages.set(specifier, found);
  return { ...found, shortCircuit: true };
}
