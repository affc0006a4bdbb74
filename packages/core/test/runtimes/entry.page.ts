/** A page and its worker: the same script is both. The page offers `kernelRuns`; the worker answers one message. */
import { type CompiledKernel, compileKernel } from "@svc/wasm";
import { intactKernel } from "../../src/kernel/wasm/index.ts";
import type { Case } from "./answers.ts";
import { type Runs, runAll, runHandedOver } from "./runs.ts";

interface Port {
  onmessage: ((event: { data: WorkerJob }) => unknown) | null;
  onerror: ((event: { message: string }) => unknown) | null;
  postMessage(message: unknown): void;
}
interface WorkerJob {
  readonly compiled: CompiledKernel;
  readonly cases: readonly Case[];
}
interface Browser {
  readonly document?: {
    readonly currentScript: { readonly src: string; readonly textContent: string };
    querySelector(selector: string): { readonly files: readonly { arrayBuffer(): Promise<ArrayBuffer> }[] };
  };
  readonly Worker: new (url: string) => Port;
  kernelRuns?: PageRuns;
}

/** The functions of the page; the cases come as JSON. */
export interface PageRuns {
  /** Runs in the page, with the kernel that it fetches, or that its file input holds. */
  inPage(cases: string, kernelUrl: string | null): Promise<Runs>;
  /** Runs in a worker, with the module that the page compiled. */
  inWorker(cases: string): Promise<{ readonly handedOver: HandedOver; readonly runs: Runs }>;
}
type HandedOver = Awaited<ReturnType<typeof runHandedOver>>;

const browser = globalThis as unknown as Browser;
if (browser.document === undefined) {
  const port = globalThis as unknown as Port;
  port.onmessage = async ({ data: { compiled, cases } }) => {
    const handedOver = await runHandedOver(compiled);
    port.postMessage({ handedOver, runs: await runAll(cases, compiled.bytes) });
  };
} else {
  const { document } = browser;
  const { src, textContent } = document.currentScript;
  browser.kernelRuns = {
    async inPage(cases, kernelUrl) {
      const file = kernelUrl === null ? document.querySelector("input").files[0] : await fetch(kernelUrl);
      return runAll(JSON.parse(cases), new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer()));
    },
    async inWorker(cases) {
      const compiled = await compileKernel(intactKernel());
      // A page from a file may not start a worker from a file, but it may from its own text.
      const url = src === "" ? URL.createObjectURL(new Blob([textContent], { type: "text/javascript" })) : src;
      const worker = new browser.Worker(url);
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data as never);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage({ compiled, cases: JSON.parse(cases) } satisfies WorkerJob);
      });
    },
  };
}
