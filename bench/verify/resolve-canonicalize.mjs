/** For the yardstick, which is used in its own place: its one library is the one that core has. */
import { registerHooks } from "node:module";

const parentURL = new URL("../../packages/core/package.json", import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => next(name, name === "canonicalize" ? { ...context, parentURL } : context),
});
