// Installs packages of tools/ for the scripts that need them, by name. It is quick if they are there, takes the
// packages that pnpm has stored, and only then asks the network; without a network it says so at once, and what to type
// instead. Packages that npm's registry lacks come from PyPI by pip. Plain Node, because it runs before anything is
// installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WAIT_MS = 4000;
const names = process.argv.slice(2);

/**
 * The state that a set of packages was installed for: another lock file, or another folder of packages, needs another
 * installation.
 */
const lock = createHash("sha256")
  .update(readFileSync(join(ROOT, "pnpm-lock.yaml")))
  .digest("hex");
const noteOf = (name) => join(ROOT, "node_modules", `.installed-${name}`);
/** The one version of a package of PyPI, with the hashes of its archives. */
const requirementsOf = (name) => join(ROOT, "tools", name, "requirements.txt");
const isOfPypi = (name) => existsSync(requirementsOf(name));
const stateOf = (name) => (isOfPypi(name) ? readFileSync(requirementsOf(name), "utf8") : lock);
const modulesOf = (name) => join(ROOT, "tools", name, "node_modules");
const isThere = (name) =>
  existsSync(noteOf(name)) && readFileSync(noteOf(name), "utf8") === stateOf(name) && existsSync(modulesOf(name));

const absent = names.filter((name) => !isThere(name));
const missing = absent.filter((name) => !isOfPypi(name));
if (missing.length > 0) {
  // Without the network pnpm silently leaves out optional packages that are not stored.
  const isStored = install(missing, ["--offline", "--reporter=silent"]) === 0 && missing.every(isWhole);
  if (!isStored) {
    const registry = new URL(process.env.npm_config_registry ?? "https://registry.npmjs.org/");
    const proxy = process.env.https_proxy ?? process.env.HTTPS_PROXY ?? process.env.npm_config_https_proxy;
    if (!(await answers(proxy === undefined ? registry : new URL(proxy)))) {
      console.error(
        `This needs ${missing.map((name) => `tools/${name}`).join(" and ")}, which is not installed yet, and ` +
          `${registry.host} cannot be reached. ` +
          `With a network type once: npx -y pnpm@12 run tools. Without one these work: demo, start, svc, ` +
          `svc-server, build:server.`,
      );
      process.exit(69);
    }
    console.log(`Installing ${missing.map((name) => `tools/${name}`).join(" and ")}, once.`);
    const status = install(missing, []);
    if (status !== 0) process.exit(status);
  }
  for (const name of missing) {
    linkFromRoot(name);
    writeFileSync(noteOf(name), stateOf(name));
  }
}

for (const name of absent.filter(isOfPypi)) {
  installFromPypi(name);
  writeFileSync(noteOf(name), stateOf(name));
}

/** Says whether all dependencies of a package of tools/ are installed on this machine. */
function isWhole(name) {
  const machine = `-${process.platform}-${process.arch}`;
  return dependenciesOf(name).every(
    ([dependency, isOptional]) =>
      (isOptional && !dependency.endsWith(machine)) || existsSync(join(modulesOf(name), dependency)),
  );
}

/** Returns each with whether it is for some machines only. */
function dependenciesOf(name) {
  const manifest = JSON.parse(readFileSync(join(ROOT, "tools", name, "package.json"), "utf8"));
  const { dependencies = {}, optionalDependencies = {} } = manifest;
  return Object.keys({ ...dependencies, ...optionalDependencies }).map((one) => [one, one in optionalDependencies]);
}

/**
 * Makes the dependencies of a package of tools/ importable from everywhere in the repository: tests are in the packages
 * that they test.
 */
function linkFromRoot(name) {
  for (const [dependency] of dependenciesOf(name)) {
    const target = join(modulesOf(name), dependency);
    const link = join(ROOT, "node_modules", dependency);
    if (!existsSync(target)) continue;
    mkdirSync(dirname(link), { recursive: true });
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) rmSync(link, { recursive: true });
    symlinkSync(relative(dirname(link), target), link);
  }
}

/** Installs a package of tools/ from PyPI. Ends the process if that fails. */
function installFromPypi(name) {
  console.log(`Installing tools/${name}, once.`);
  // pip adds to a folder, and removes nothing from it.
  rmSync(modulesOf(name), { recursive: true, force: true });
  const exact = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "--requirement", requirementsOf(name)];
  const words = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--root-user-action",
    "ignore",
    "--target",
    modulesOf(name),
  ];
  const { status } = spawnSync("python3", [...words, ...exact], { stdio: "inherit" });
  if (status !== 0) {
    console.error(
      `This needs tools/${name}, which is not installed yet, and pip did not bring it: it takes Python 3 with ` +
        `pip, and a network. Then type once: node tools/install-tools.mjs ${name}`,
    );
    process.exit(69);
  }
}

/** Returns pnpm's exit code. pnpm names its own program to the scripts that it runs. */
function install(packages, options) {
  const filters = packages.flatMap((name) => ["--filter", `./tools/${name}`]);
  const words = ["install", "--frozen-lockfile", ...filters, ...options];
  const pnpm = process.env.npm_execpath ?? "";
  const [program, ...first] = /pnpm(?:\.exe)?$/.test(pnpm) ? [pnpm] : ["npx", "-y", "pnpm@12"];
  const stdio = options.includes("--offline") ? "ignore" : "inherit";
  const { status, error } = spawnSync(program, [...first, ...words], { cwd: ROOT, stdio, env: withHeaders() });
  if (error !== undefined) console.error(error.message);
  return status ?? 1;
}

/** Returns the environment in which a package is compiled: with the headers of this Node, which it would download. */
function withHeaders() {
  const folder = dirname(dirname(realpathSync(process.execPath)));
  const hasHeaders = existsSync(join(folder, "include/node/node_api.h"));
  return hasHeaders ? { npm_config_nodedir: folder, ...process.env } : process.env;
}

/** Resolves to whether somebody listens there. */
function answers({ hostname, port, protocol }) {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || (protocol === "http:" ? 80 : 443)) });
    const end = (found) => {
      socket.destroy();
      clearTimeout(timer);
      resolve(found);
    };
    // A name lookup without result takes its time too.
    const timer = setTimeout(end, WAIT_MS, false);
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
