/** The settings of the process itself: its folder, its address, its rate limits, and its log. */
import { isIP } from "node:net";
import { anyText, integer, Mistakes, oneOf, type Parse, path, setting } from "@svc/host/settings";
import { RISKS, type Risk } from "@svc/host/store";
import { originFault } from "../origin.ts";

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
const requestsPerSecond = integer(0, 1_000_000);

const hostName: Parse<string> = (text, name) =>
  isIP(text) !== 0 || HOST_NAME.test(text)
    ? text
    : new Mistakes(
        `${name} is ${JSON.stringify(text)}; it must be an address such as 127.0.0.1 or ::1, or a name, without ` +
          `a port.`,
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
        `${name} names ${JSON.stringify(one)}; it must be addresses such as 10.0.0.1, or networks such as ` +
        `10.0.0.0/8, with commas between.`,
    ),
  );
};

/** Parses the address of a database on a server. No mistake repeats the text: it holds a password. */
export const serverAddress: Parse<string> = (text, name) =>
  /^postgres(?:ql)?:\/\/[^/?#]+\/[^/?#]+/.test(text)
    ? text
    : new Mistakes(
        `${name} is no address of a PostgreSQL database; it must be like postgres://user:password@host:5432/database.`,
      );

const riskNames: Parse<readonly Risk[]> = (text, name) => {
  const named = text.split(",").map((one) => one.trim());
  const wrong = named.filter((one) => one !== "" && !(RISKS as readonly string[]).includes(one));
  if (wrong.length === 0) return RISKS.filter((risk) => named.includes(risk));
  return new Mistakes(`${name} names ${JSON.stringify(wrong[0])}; it must name some of ${RISKS.join(", ")}.`);
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
  databaseUrl: setting({
    variable: "SVC_DATABASE_URL",
    meaning: "the database on a PostgreSQL server, with user and password; without it, a file in the data folder",
    isSecret: true,
    parse: serverAddress,
  }),
  exportsFolder: setting({
    variable: "SVC_EXPORTS",
    meaning: "the folder of the packages of exports, which several servers share (default: in the data folder)",
    parse: path,
  }),
  archiveFolder: setting({
    variable: "SVC_ARCHIVE",
    meaning: "the folder of the archive's files, which several servers share (default: in the data folder)",
    parse: path,
  }),
  databaseRisks: setting({
    variable: "SVC_DATABASE_RISKS",
    meaning: `the settings of that server that may be less than safe, of ${RISKS.join(", ")}`,
    fallback: "",
    parse: riskNames,
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
    meaning: "the origin, read only where the data folder is made; with NODE_ENV=production start asks for it there",
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
