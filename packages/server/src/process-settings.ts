/** The settings of the process itself: its folder, its address, its rate limits, and its log. */
import { isIP } from "node:net";
import { anyText, integer, Mistakes, oneOf, type Parse, path, setting } from "@svc/host/settings";
import { originFault } from "./origin.ts";

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
const requestsPerSecond = integer(0, 1_000_000);

const hostName: Parse<string> = (text, name) =>
  isIP(text) !== 0 || HOST_NAME.test(text)
    ? text
    : new Mistakes(
        `${name} is ${JSON.stringify(text)}; it must be an address such as 127.0.0.1 or ::1, or a name, without a port.`,
      );

const evidenceOrigin: Parse<string> = (text, name) => {
  const fault = originFault(text);
  return fault === null ? text : new Mistakes(`${name} is ${JSON.stringify(text)}; ${fault}.`);
};

const networks: Parse<readonly string[]> = (text, name) => {
  const all = text.split(",").map((one) => one.trim());
  const named = all.filter((one) => one !== "");
  const wrong = named.filter((one) => !isNetwork(one));
  if (wrong.length === 0) return named;
  return new Mistakes(
    ...wrong.map(
      (one) =>
        `${name} names ${JSON.stringify(one)}; it must be addresses such as 10.0.0.1, or networks such as 10.0.0.0/8, with commas between.`,
    ),
  );
};

/** The settings of `start` that belong to no family. */
export const processSettings = {
  dataFolder: setting({
    variable: "SVC_DATA",
    meaning: "the data folder",
    fallback: "./svc-data",
    option: "data",
    parse: path,
  }),
  host: setting({
    variable: "SVC_HOST",
    meaning: "the address to listen on",
    fallback: "127.0.0.1",
    option: "host",
    parse: hostName,
  }),
  /** 0: any free port. */
  port: setting({
    variable: "SVC_PORT",
    meaning: "the port; 0 for a free one",
    fallback: "8787",
    option: "port",
    parse: integer(0, 65_535),
  }),
  origin: setting({
    variable: "SVC_ORIGIN",
    meaning: "the origin, read only where the data folder is made",
    parse: evidenceOrigin,
  }),
  logLevel: setting({
    variable: "SVC_LOG_LEVEL",
    meaning: "fatal, error, warn, info, debug, trace or silent",
    fallback: "info",
    parse: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
  }),
  requestsPerSecondOfKey: setting({
    variable: "SVC_KEY_REQUESTS_PER_SECOND",
    meaning: "requests a second of one system key; 0 for any number",
    fallback: "2000",
    parse: requestsPerSecond,
  }),
  requestsPerSecondOfAddress: setting({
    variable: "SVC_ADDRESS_REQUESTS_PER_SECOND",
    meaning: "the same of one address, on public routes",
    fallback: "100",
    parse: requestsPerSecond,
  }),
  /** The addresses, or networks as address/prefix, of proxies whose X-Forwarded-For is believed. */
  trustedProxies: setting({
    variable: "SVC_TRUSTED_PROXIES",
    meaning: "addresses or networks of proxies, with commas between",
    fallback: "",
    parse: networks,
  }),
  /**
   * The path of the second copy of the high-water mark, out of reach of a rollback of the folder; null: none is kept.
   */
  progressFile: setting({
    variable: "SVC_PROGRESS_FILE",
    meaning: "a second progress.json, on another disk: it notices a folder rolled back",
    parse: path,
  }),
};

/** Settings of commands other than `start`. */
export const commandSettings = {
  backupPassphrase: setting({
    variable: "SVC_BACKUP_PASSPHRASE",
    meaning: "the passphrase of sealed keys, of backup and restore",
    isSecret: true,
    parse: anyText,
  }),
};

/** Returns whether a text is an address, or a network as address/prefix. */
function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const bits = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) > 0 && more.length === 0 && (prefix === undefined || (PREFIX.test(prefix) && Number(prefix) <= bits))
  );
}
