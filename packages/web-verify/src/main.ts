/**
 * The script of the page and of its worker: the page makes the worker from its own text, so that one file is enough.
 */
import * as api from "./api.ts";
import { serve } from "./engine/serve.ts";
import { App } from "./view/app.ts";

if (typeof document === "undefined") serve();
else {
  const { verifyReceipt, verifyInclusion, verifyCheckpointRoot, verifyCompleteness, verify } = api;
  Object.assign(globalThis, {
    svcVerify: Object.freeze({ verifyReceipt, verifyInclusion, verifyCheckpointRoot, verifyCompleteness, verify }),
  });
  new App(document.currentScript?.textContent ?? "");
}
