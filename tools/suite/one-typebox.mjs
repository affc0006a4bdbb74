// Loaded before each test file, if the run has bundled typebox: one module instead of 373 is a fifth of what it takes
// to load the server. Plain JavaScript, because nothing is to be loaded for it.
import { registerHooks } from "node:module";

const url = process.env.SVC_TEST_TYPEBOX;

if (url !== undefined)
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "typebox" ? { url, format: "module", shortCircuit: true } : next(specifier, context),
  });
