/**
 * The page of a report as one file: no script, nothing to load, and a policy that forbids both. The same input gives
 * the same bytes.
 */
import { encodeBase64, type Kernel } from "@svc/core";
import { escapeText } from "../escape.ts";
import { el } from "./element.ts";
import { eventsSection } from "./events.ts";
import { htmlOf } from "./html.ts";
import { sectionsOf } from "./sections.ts";
import type { Shown } from "./shown.ts";
import { REPORT_STYLE } from "./style.ts";
import { lookOf } from "./verdict.ts";

/**
 * Returns the HTML text. `kernel` hashes the style for the policy. The page contains the payloads that the file holds,
 * unless the caller leaves them out.
 */
export function reportHtml(kernel: Kernel, shown: Shown, { payloads = true } = {}): string {
  const { above, below } = sectionsOf(shown);
  const styleHash = encodeBase64(kernel.sha256(new TextEncoder().encode(REPORT_STYLE)));
  const { mark, word } = lookOf(shown);
  const title = `${mark} ${word}: ${escapeText(shown.file.name)}`;
  const page = el(
    "html",
    { lang: "en" },
    el(
      "head",
      {},
      el("meta", { charset: "utf-8" }),
      el("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      el("meta", {
        "http-equiv": "Content-Security-Policy",
        content: `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`,
      }),
      el("meta", { name: "referrer", content: "no-referrer" }),
      el("title", {}, title),
    ),
    el(
      "body",
      {},
      el("header", {}, el("h1", {}, "Report of a verification")),
      el("main", {}, ...above, eventsSection(shown.contents, payloads ? kernel : null), ...below),
      el(
        "footer",
        {},
        el(
          "p",
          {},
          "This page is only what somebody's verifier said. If you doubt it, check the file again: that needs " +
            "neither this page nor the service.",
        ),
      ),
    ),
  );
  // A style is no text: it must not be escaped, and it holds nothing from a file.
  return `<!doctype html>\n${htmlOf(page).replace("</head>", `<style>${REPORT_STYLE}</style></head>`)}\n`;
}
