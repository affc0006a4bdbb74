/** The page at the address that `start` prints: a description of the service, and a link for each kind of visitor. */
import { VERSION } from "@svc/core";
import { escaped, type StillPage, stillPage } from "./still-page.ts";

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:38rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.5rem;line-height:1.25}dt{margin-top:1.25rem}dd{margin:0}
dt a{font-weight:bold}code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}`;

/** Returns the page. `origin`: the name in this service's evidence. */
export function frontPage(origin: string): StillPage {
  return stillPage({
    title: `${origin}: evidence that anyone can verify`,
    style: STYLE,
    body: `<h1>This service records events as evidence that anyone can verify, offline</h1>
<p>Its evidence bears the name <code>${escaped(origin)}</code>. Each event gets a signed receipt. Receipts and bundles can be checked
without this service, also when it is gone.</p>
<dl>
<dt><a href="/verify.html">Check a file</a></dt>
<dd>You were sent a receipt, a bundle or a truth package. It is checked in your browser, and nothing is sent.</dd>
<dt><a href="/v2/keys">The keys of this service</a></dt>
<dd>Compare a fingerprint with one that reached you in another way, such as in a contract or by telephone, before you pin a key.</dd>
<dt><a href="/docs">The interface</a></dt>
<dd>You want to record events. Each route is described, with what it takes and answers; <a href="/openapi.json">the same for programs</a>.</dd>
<dt><a href="/ready">Is it ready?</a></dt>
<dd>Says whether the service takes events at this moment.</dd>
</dl>
<p>svc-server ${VERSION}</p>`,
  });
}
