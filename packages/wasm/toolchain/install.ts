/**
 * Installs everything that builds the kernel on a bare Debian 12: pinned packages, the linker under the name that rustc
 * looks for, the standard library for WebAssembly, wasm-bindgen. Does nothing if all of it is there. rustup is neither
 * needed nor used.
 */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isDistribution, type Plan, parsePolicy, planInstall, tellGone, unreadArchives } from "./apt.ts";
import {
  BYTE_PACKAGES,
  DISTRIBUTION,
  LINT_PACKAGES,
  OTHER_PACKAGES,
  RUSTC_VERSION,
  SEED_FOLDER,
  STD_RUSTFLAGS,
  TARGET,
  WASM_BINDGEN_VERSION,
} from "./pins.ts";
import { cacheFolder, read, run, ToolchainError } from "./run.ts";

export const CARGO = "/usr/bin/cargo";
export const RUSTC = "/usr/bin/rustc";
export const WASM_BINDGEN = cacheFolder(`wasm-bindgen-${WASM_BINDGEN_VERSION}`, "bin", "wasm-bindgen");

const PINS = { ...BYTE_PACKAGES, ...LINT_PACKAGES };

/**
 * Installs the missing parts. Returns the pinned packages that can no longer be installed, and installs nothing if
 * there are any; an empty list means that everything is there. Throws for any other obstacle.
 */
export function installToolchain(): Plan["gone"] {
  const gone = installPackages();
  if (gone.length > 0) return gone;
  const version = read(RUSTC, ["--version"])?.text.trim();
  if (version !== RUSTC_VERSION)
    throw new ToolchainError(
      `${RUSTC} is "${version}", and toolchain/pins.ts expects "${RUSTC_VERSION}". Correct the pin.`,
    );
  linkLinker();
  installStd();
  installWasmBindgen();
  return [];
}

/** Says whether the pinned compiler and linters are installed; installs nothing. */
export function hasPinnedPackages(): boolean {
  const { missing, gone } = plan();
  return missing.length === 0 && gone.length === 0;
}

function plan(): Plan {
  return planInstall(PINS, askApt(Object.keys(PINS)));
}

function askApt(names: readonly string[]): ReturnType<typeof parsePolicy> {
  return parsePolicy(read("apt-cache", ["policy", ...names])?.text ?? "");
}

function installPackages(): Plan["gone"] {
  const { missing, gone } = plan();
  const states = askApt(OTHER_PACKAGES);
  const others = OTHER_PACKAGES.filter((name) => typeof states.get(name)?.installed !== "string");
  if (missing.length + gone.length + others.length === 0) return [];
  const osRelease = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  if (!isDistribution(osRelease, DISTRIBUTION))
    throw new ToolchainError(
      `The kernel is built with packages of ${DISTRIBUTION.name}, and this is another system. Build it in a ` +
        `container of that ` +
        "system, or check the committed files alone: `pnpm kernel:verify --no-rebuild`.",
    );
  needRoot("apt packages", [...missing, ...gone].map(({ name, version }) => `${name}=${version}`).concat(others));

  console.error("Refreshing apt's lists.");
  const update = read("apt-get", ["update", "-q"]);
  const unread = unreadArchives(`${update?.text}\n${update?.errors}`);
  const refreshed = plan();
  if (refreshed.gone.length > 0) {
    if (update?.ok === true && unread.length === 0) return refreshed.gone;
    throw new ToolchainError(
      `apt does not know ${refreshed.gone.map(({ name, version }) => `${name} ${version}`).join(", ")}, but ` +
        `could not read all ` +
        `archives either${unread.length > 0 ? ` (${unread.join(", ")})` : ""}. Make \`apt-get update\` succeed, ` +
        `then run this again.`,
    );
  }
  const wanted = [...Object.entries(PINS).map(([name, version]) => `${name}=${version}`), ...OTHER_PACKAGES];
  run("apt-get", ["install", "-q", "-y", "--no-install-recommends", "--allow-downgrades", "--no-remove", ...wanted], {
    env: { DEBIAN_FRONTEND: "noninteractive" },
    hint: "Read what apt printed above. Debian's own rustc and cargo conflict with these packages: remove them first.",
  });
  const left = plan();
  if (left.missing.length + left.gone.length > 0)
    throw new ToolchainError(
      `apt ended without an error, and did not install: ${tellGone(left.gone)}. Run it by hand.`,
    );
  return [];
}

/** rustc looks for its WebAssembly linker under the name `rust-lld`, which Debian does not ship. */
function linkLinker(): void {
  const wanted = "/usr/lib/llvm-22/bin/lld";
  const link = join(sysroot(), "lib/rustlib", hostTriple(), "bin/rust-lld");
  try {
    if (readlinkSync(link) === wanted) return;
  } catch {
    // The path is not there yet, or is no link.
  }
  needRoot("the linker's link", [link]);
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(wanted, link);
}

/** Compiles the standard library for WebAssembly from Debian's sources, and puts it where rustc looks for it. */
function installStd(): void {
  const folder = join(sysroot(), "lib/rustlib", TARGET);
  const record = join(folder, "svc-kernel-std.json");
  const recipe = { rustc: RUSTC_VERSION, packages: BYTE_PACKAGES, flags: STD_RUSTFLAGS, seed: SEED_FOLDER };
  const state = () => JSON.stringify({ ...recipe, libraries_sha256: hashLibraries(join(folder, "lib")) });
  if (existsSync(record) && readFileSync(record, "utf8") === state()) return;

  needRoot(`the standard library for ${TARGET}`, [folder]);
  console.error(`Compiling the standard library for ${TARGET}.`);
  const release = /^rustc (\S+)/.exec(RUSTC_VERSION)?.[1];
  rmSync(SEED_FOLDER, { recursive: true, force: true });
  mkdirSync(join(SEED_FOLDER, "src"), { recursive: true });
  writeFileSync(join(SEED_FOLDER, "src/lib.rs"), "");
  writeFileSync(
    join(SEED_FOLDER, "Cargo.toml"),
    '[package]\nname = "seed"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n',
  );
  const vendored = `source.vendored.directory="/usr/src/rustc-${release}/library/vendor"`;
  const replaced = 'source.crates-io.replace-with="vendored"';
  const args = ["build", "--release", "--offline", "--target", TARGET, "-Zbuild-std=std,panic_abort"];
  run(CARGO, [...args, "--config", replaced, "--config", vendored], {
    cwd: SEED_FOLDER,
    env: {
      RUSTFLAGS: STD_RUSTFLAGS,
      RUSTC_BOOTSTRAP: "1",
      CARGO_HOME: join(SEED_FOLDER, "cargo-home"),
      CARGO_TARGET_DIR: join(SEED_FOLDER, "target"),
    },
  });
  const built = join(SEED_FOLDER, "target", TARGET, "release/deps");
  const staged = join(folder, `lib.${process.pid}`);
  mkdirSync(staged, { recursive: true });
  for (const name of listLibraries(built))
    if (!name.startsWith("libseed-")) cpSync(join(built, name), join(staged, name));
  rmSync(join(folder, "lib"), { recursive: true, force: true });
  renameSync(staged, join(folder, "lib"));
  rmSync(SEED_FOLDER, { recursive: true });
  writeFileSync(record, state());
}

function installWasmBindgen(): void {
  if (read(WASM_BINDGEN, ["--version"])?.text.trim() === `wasm-bindgen ${WASM_BINDGEN_VERSION}`) return;
  console.error(`Compiling wasm-bindgen ${WASM_BINDGEN_VERSION}: a few minutes, once.`);
  const root = dirname(dirname(WASM_BINDGEN));
  // Its output does not depend on its own optimization, and without that it compiles in less than half the time.
  const settings = ["opt-level=0", "debug=0", "codegen-units=16"].flatMap((setting) => [
    "--config",
    `profile.release.${setting}`,
  ]);
  const wanted = ["wasm-bindgen-cli", "--version", `=${WASM_BINDGEN_VERSION}`, "--bin", "wasm-bindgen"];
  run(CARGO, ["install", ...wanted, "--locked", "--root", root, ...settings], {
    hint: "It comes from crates.io: is the registry reachable?",
  });
}

function sysroot(): string {
  return read(RUSTC, ["--print", "sysroot"])?.text.trim() ?? "/usr";
}

/** Returns the default target of `rustc`. */
export function hostTriple(): string {
  const host = /^host: (\S+)$/m.exec(read(RUSTC, ["-vV"])?.text ?? "")?.[1];
  if (host === undefined) throw new ToolchainError(`\`${RUSTC} -vV\` does not say its host. Reinstall rustc-web.`);
  return host;
}

function listLibraries(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^lib.*\.rlib$/.test(name))
        .sort()
    : [];
}

function hashLibraries(folder: string): string {
  const hash = createHash("sha256");
  for (const name of listLibraries(folder)) hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

function needRoot(what: string, names: readonly string[]): void {
  if (process.getuid?.() === 0) return;
  throw new ToolchainError(
    `Installing ${what} needs root, and this runs as another user. Missing: ${names.join(" ")}. Run this command ` +
      `once as root, or ` +
      "in a container; to check the committed files alone: `pnpm kernel:verify --no-rebuild`.",
  );
}
