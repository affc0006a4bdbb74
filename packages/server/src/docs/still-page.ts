/**
 * A page that only shows itself: one HTML file without scripts, fonts or other resources, and the policy that enforces
 * this.
 */
import { createHash } from "node:crypto";

/** A page, and the headers with rules that its HTML cannot express. */
export interface StillPage {
  readonly html: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns a page with a body that is HTML already. It may use its own style, and load, run or send nothing. */
export function stillPage({ title, style, body }: Readonly<Record<"title" | "style" | "body", string>>): StillPage {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return {
    html: Buffer.from(html),
    headers: { "Content-Security-Policy": `${policy}; frame-ancestors 'none'`, "Referrer-Policy": "no-referrer" },
  };
}

/** Returns text escaped for HTML. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
