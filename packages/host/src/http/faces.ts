/**
 * The choice of an application by the host that a request names: each face of a service is a web origin, and no page of
 * one may act on another. A host that is no face's gets the fallback. It costs nothing where there is one application.
 */
import type { RequestListener } from "node:http";

/** The ports that a URL does not name. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
const HOST = /^(?<name>\[[^\]]*\]|[^:]*)(?::(?<port>\d{1,5}))?$/;

/**
 * Returns a listener that passes each request to the application of its host. `faces`: the applications by their
 * origins, `https://host[:port]`.
 */
export function byHost(faces: ReadonlyMap<string, RequestListener>, fallback: RequestListener): RequestListener {
  if (faces.size === 0) return fallback;
  const ofHost = new Map([...faces].map(([origin, listener]) => [hostOfOrigin(origin), listener]));
  return (request, response) => {
    const named = hostsOf(request.headers.host ?? "");
    const listener = named.map((host) => ofHost.get(host)).find((one) => one !== undefined) ?? fallback;
    listener(request, response);
  };
}

/** Returns the host and the port of an origin. */
function hostOfOrigin(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${withoutDot(hostname)}:${port === "" ? DEFAULT_PORTS[protocol] : port}`;
}

/** Returns the hosts with their ports that a header can mean: without a port, that of either scheme. */
function hostsOf(header: string): string[] {
  const { name, port } = HOST.exec(header.toLowerCase())?.groups ?? {};
  if (name === undefined || name === "") return [];
  const host = withoutDot(name);
  return port === undefined ? [`${host}:443`, `${host}:80`] : [`${host}:${Number(port)}`];
}

/** A name with a dot at its end is the same name. */
function withoutDot(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}
