// Loaded before a program: every way of Node to reach a network throws from then on. It leaves the classes alone, which
// Node itself uses for pipes.
import dgram from "node:dgram";
import dns from "node:dns";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";

const refuse = (what) => () => {
  throw new Error(`network refused: ${what}`);
};
const ways = [
  [net, "net", ["connect", "createConnection", "createServer"]],
  [net.Socket.prototype, "net.Socket", ["connect"]],
  [net.Server.prototype, "net.Server", ["listen"]],
  [tls, "tls", ["connect", "createServer"]],
  [dgram, "dgram", ["createSocket"]],
  [dns, "dns", ["lookup", "resolve", "resolve4", "resolve6"]],
  [dns.promises, "dns.promises", ["lookup", "resolve", "resolve4", "resolve6"]],
  [http, "http", ["request", "get", "createServer"]],
  [https, "https", ["request", "get", "createServer"]],
  [http2, "http2", ["connect", "createServer"]],
  [globalThis, "globalThis", ["fetch", "WebSocket", "EventSource"]],
];
for (const [object, name, members] of ways)
  for (const member of members)
    Object.defineProperty(object, member, { value: refuse(`${name}.${member}`), configurable: true, writable: true });
syncBuiltinESMExports();
