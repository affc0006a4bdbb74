/**
 * The network side of the server: its ports, the protection of its connections, and the address that it tells others.
 * It opens no connection.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { type Finding, fail, ok, warn } from "@svc/host/checks";
import type { Config } from "../settings/config.ts";

const LOOPBACK = /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/;

/**
 * Resolves to a finding for each port: whether the server can listen on it. `served`: a server runs on the folder, and
 * may have the ports.
 */
export async function checkPorts({ host, port, metricsPort }: Config, served: boolean): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [variable, wanted] of [
    ["SVC_PORT", port],
    ["SVC_METRICS_PORT", metricsPort],
  ] as const) {
    if (wanted === null) continue;
    const fault = wanted === 0 ? null : await listenFault(host, wanted);
    if (fault === null) found.push(ok("port", `${variable} ${wanted === 0 ? "0, a free one" : `${wanted} is free`}`));
    else if (fault === "EADDRINUSE" && served) found.push(ok("port", `${variable} ${wanted} is in use, as it must be`));
    else found.push(fail("port", `${variable} ${wanted} of ${host} cannot be listened on (${fault}). Choose another.`));
  }
  return found;
}

async function listenFault(host: string, port: number): Promise<string | null> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown";
  } finally {
    server.close();
  }
}

/** Returns the findings about proxies, the public URL and the metrics. */
export function checkExposure(config: Config): Finding[] {
  const { host, trustedProxies, apiUrl, metricsPort, metricsToken } = config;
  const isLocal = LOOPBACK.test(host);
  const proxy =
    trustedProxies.length > 0
      ? ok("proxy", `X-Forwarded-For of ${trustedProxies.join(", ")} is believed`)
      : isLocal
        ? warn(
            "proxy",
            "none is named. A proxy with TLS in front needs SVC_TRUSTED_PROXIES, or all clients share one limit.",
          )
        : fail(
            "proxy",
            `${host} is reached from elsewhere over plain HTTP. Listen on 127.0.0.1 behind a proxy with TLS.`,
          );
  const url =
    apiUrl === null
      ? warn("public URL", "SVC_API_URL is not set: /openapi.json names no server.")
      : ok("public URL", apiUrl);
  const metrics =
    metricsPort === null && metricsToken === null
      ? warn("metrics", "off. Set SVC_METRICS_PORT or SVC_METRICS_TOKEN, and an alarm.")
      : metricsToken === null && !isLocal
        ? warn("metrics", `anybody who reaches ${host} reads them. Set SVC_METRICS_TOKEN.`)
        : ok("metrics", "they are served");
  return [proxy, url, metrics];
}

/** Returns the finding about the origin that is in all evidence. */
export function checkOrigin(origin: string, { origin: wanted }: Config): Finding[] {
  if (origin.startsWith("localhost/"))
    return [
      warn("origin", `${origin}: good for trying things out. Make a deployment with init --origin for evidence.`),
    ];
  if (wanted !== null && wanted !== origin)
    return [warn("origin", `${origin}, and SVC_ORIGIN says ${wanted}, which counts only where a folder is made.`)];
  return [ok("origin", origin)];
}
