/** The addresses of the service's faces: each is a separate web origin, so that no page of one may act on another. */
import { type Contract, type Face, facesOf } from "@svc/api";
import { integer, Mistakes, type Parse, setting, type ValuesOf } from "@svc/host/settings";

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

/** The ports of faces alone, for programs that have these faces; null: the face is found by its host. */
export const facePortSettings = {
  dashboardPort: setting({
    variable: "SVC_DASHBOARD_PORT",
    meaning: "a port of the dashboard alone; 0 for a free one",
    parse: integer(0, 65_535),
  }),
  auditPort: setting({
    variable: "SVC_AUDIT_PORT",
    meaning: "the same of the auditor portal",
    parse: integer(0, 65_535),
  }),
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

/** A face that is served beside the API. */
export interface ServedFace {
  readonly face: Face;
  /** Its origin; null where it has a port alone. */
  readonly origin: string | null;
  /** Its port; null where it is found by its host. */
  readonly port: number | null;
}

/**
 * Returns the faces of a program that are served beside the API: those that have a route which the API lacks, and an
 * origin or a port.
 */
export function servedFaces(
  contracts: readonly Contract[],
  urls: FaceUrls & Partial<ValuesOf<typeof facePortSettings>>,
): ServedFace[] {
  const ofRoutes = contracts.map(facesOf).filter((faces) => !faces.includes("api"));
  const known = new Set(ofRoutes.flat());
  const faces: readonly ServedFace[] = [
    { face: "dashboard", origin: urls.dashboardUrl, port: urls.dashboardPort ?? null },
    { face: "audit", origin: urls.auditUrl, port: urls.auditPort ?? null },
    { face: "status", origin: urls.statusUrl, port: null },
    { face: "marketplace", origin: urls.marketplaceUrl, port: null },
  ];
  return faces.filter(({ face, origin, port }) => known.has(face) && (origin !== null || port !== null));
}

/** The headers of every answer of a face with people on it. */
export function faceHeaders({ face, origin }: ServedFace): (readonly [name: string, value: string])[] {
  if (face !== "dashboard" && face !== "audit") return [];
  const isSecure = origin?.startsWith("https:") === true;
  return [
    ...(isSecure ? [["Strict-Transport-Security", "max-age=31536000"] as const] : []),
    ["Referrer-Policy", "no-referrer"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Cross-Origin-Resource-Policy", "same-origin"],
  ];
}

/** Returns an origin reached by https, or by http on loopback; null for any other text. */
function originOf(text: string): string | null {
  if (!WEB_ORIGIN.test(text) || !URL.canParse(text)) return null;
  const { origin, protocol, hostname } = new URL(text);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === "https:" || isLoopback ? origin : null;
}
