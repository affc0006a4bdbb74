/** The addresses of the service's faces: each is a separate web origin, so that no page of one may act on another. */
import { Mistakes, type Parse, setting, type ValuesOf } from "@svc/host/settings";

/** A scheme and a host, perhaps a port: no path, no query, no credentials. */
const WEB_ORIGIN = /^https?:\/\/[^/?#@\\\s]+$/i;

/**
 * Parses an origin into the form that browsers write. A mistake does not repeat the text, which may hold a password.
 */
const webOrigin: Parse<string> = (text, name) =>
  originOf(text) ??
  new Mistakes(
    `${name} is no origin; it must be https://host or https://host:port, without a path, or the same with http ` +
      `on this machine.`,
  );

const face = (variable: string, meaning: string) => setting({ variable, meaning, parse: webOrigin });

/** The origin of each face, `https://host[:port]`, or null if it is not set. */
export const faceSettings = {
  apiUrl: face("SVC_API_URL", "where the API is reached, https://host[:port]"),
  dashboardUrl: face("SVC_DASHBOARD_URL", "where the dashboard is reached"),
  auditUrl: face("SVC_AUDIT_URL", "where the auditor portal is reached"),
  statusUrl: face("SVC_STATUS_URL", "where the status page is reached"),
  marketplaceUrl: face("SVC_MARKETPLACE_URL", "where the marketplace is reached"),
};

/** The origins of the faces, by name. */
export type FaceUrls = ValuesOf<typeof faceSettings>;

/** Returns a sentence for each face that has the origin of an earlier one. */
export function facesTwice(urls: FaceUrls): string[] {
  const taken = new Map<string, string>();
  const found: string[] = [];
  for (const [name, { variable }] of Object.entries(faceSettings)) {
    const origin = urls[name as keyof FaceUrls];
    if (origin === null) continue;
    const before = taken.get(origin);
    if (before === undefined) taken.set(origin, variable);
    else found.push(`${variable} is ${origin}, as ${before} is; each must be a different origin.`);
  }
  return found;
}

/** Returns an origin reached by https, or by http on loopback; null for any other text. */
function originOf(text: string): string | null {
  if (!WEB_ORIGIN.test(text) || !URL.canParse(text)) return null;
  const { origin, protocol, hostname } = new URL(text);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === "https:" || isLoopback ? origin : null;
}
