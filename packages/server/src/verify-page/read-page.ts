/** The built verify page, and the policy in it. packages/web-verify builds it; here it is only read. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ServiceError } from "@svc/host/errors";

/** The page is beside the built server; sources load it from the package that builds it. */
const PAGE = import.meta.url.endsWith(".ts") ? "@svc/web-verify/verify.html" : "./verify.html";

/** The page as it is sent, and its Content-Security-Policy. */
export interface VerifyPage {
  readonly html: Uint8Array;
  readonly policy: string;
}

let read: VerifyPage | null = null;

/** Reads the page at the first call. Throws `route_not_found` if it is not built. */
export function readVerifyPage(): VerifyPage {
  read ??= readPage();
  return read;
}

function readPage(): VerifyPage {
  let html: string;
  try {
    html = readFileSync(fileURLToPath(import.meta.resolve(PAGE)), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new ServiceError("route_not_found", "The verify page is not built here. Its operator runs `pnpm build`.");
  }
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html) ?? [];
  // Without its policy the page could break its promises, so it is not sent.
  if (policy === undefined) throw new Error("the built verify page names no policy");
  return { html: Buffer.from(html), policy };
}
