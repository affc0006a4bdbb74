/**
 * `kernel.lock.json`: the committed kernel's digest, its sources and its tools. `committedFaults` checks every
 * statement of it that needs no compiler; `verify.ts` checks whether these sources give these bytes, by building them
 * again.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import {
  BYTE_PACKAGES,
  RUSTC_VERSION,
  RUSTFLAGS,
  SEED_FOLDER,
  STD_RUSTFLAGS,
  TARGET,
  WASM_BINDGEN_FLAGS,
  WASM_BINDGEN_VERSION,
} from "./pins.ts";
import { hashSources } from "./sources.ts";

/** packages/wasm of this checkout. */
export const WORKSPACE = fileURLToPath(new URL("..", import.meta.url));
export const KERNEL_FILE = "kernel.wasm";
export const LOCK_FILE = "kernel.lock.json";
export const INLINED_FILE = "src/generated/kernel-base64.ts";

/** The content of `kernel.lock.json`. Digests are SHA-256 in hex. */
export interface KernelLock {
  readonly sha256: string;
  readonly bytes: number;
  readonly sources_sha256: string;
  readonly cargo_lock_sha256: string;
  readonly toolchain: Toolchain;
}

/** Everything besides the sources that decides the bytes. */
export interface Toolchain {
  readonly debian: Readonly<Record<string, string>>;
  readonly rustc: string;
  readonly std: string;
  readonly std_folder: string;
  readonly target: string;
  readonly rustflags: string;
  readonly profile: string;
  readonly "wasm-bindgen": string;
  readonly wasm_bindgen_flags: string;
}

/** Returns the toolchain of pins.ts and Cargo.toml. */
export function currentToolchain(workspace = WORKSPACE): Toolchain {
  const manifest = readFileSync(join(workspace, "Cargo.toml"), "utf8");
  return {
    debian: BYTE_PACKAGES,
    rustc: RUSTC_VERSION,
    std: STD_RUSTFLAGS,
    std_folder: SEED_FOLDER,
    target: TARGET,
    rustflags: RUSTFLAGS.join(" "),
    profile: releaseProfile(manifest),
    "wasm-bindgen": WASM_BINDGEN_VERSION,
    wasm_bindgen_flags: WASM_BINDGEN_FLAGS.join(" "),
  };
}

/** Returns the settings of a manifest's release profile, those for single packages behind the package's name. */
function releaseProfile(manifest: string): string {
  const settings: string[] = [];
  let prefix: string | undefined;
  for (const line of manifest.split("\n")) {
    const heading = /^\[(.*)\]\s*$/.exec(line)?.[1];
    if (heading !== undefined) {
      const inside = /^profile\.release(?:\.package\.(.+))?$/.exec(heading);
      prefix = inside === null ? undefined : inside[1] === undefined ? "" : `${inside[1]}: `;
    } else if (prefix !== undefined && /^[\w-]/.test(line)) settings.push(prefix + line.trim());
  }
  return settings.join(", ");
}

/** Writes the kernel, its inlined copy and the lock. */
export function writeKernel(kernel: Uint8Array, workspace = WORKSPACE): KernelLock {
  const lock: KernelLock = {
    sha256: sha256(kernel),
    bytes: kernel.length,
    sources_sha256: hashSources(workspace),
    cargo_lock_sha256: sha256(readFileSync(join(workspace, "Cargo.lock"))),
    toolchain: currentToolchain(workspace),
  };
  mkdirSync(dirname(join(workspace, INLINED_FILE)), { recursive: true });
  writeFileSync(join(workspace, KERNEL_FILE), kernel);
  writeFileSync(join(workspace, INLINED_FILE), inlined(kernel, packed(kernel, workspace)));
  writeFileSync(join(workspace, LOCK_FILE), `${JSON.stringify(lock, null, 2)}\n`);
  return lock;
}

/** Returns the committed lock. */
export function readLock(workspace = WORKSPACE): KernelLock {
  const lock: unknown = JSON.parse(readFileSync(join(workspace, LOCK_FILE), "utf8"));
  const members = Object.keys(typeof lock === "object" && lock !== null ? lock : {});
  const expected = ["sha256", "bytes", "sources_sha256", "cargo_lock_sha256", "toolchain"];
  if (members.join() !== expected.join())
    throw new Error(
      `${LOCK_FILE} has the members ${members.join(", ") || "of no object"} instead of ${expected.join(", ")}`,
    );
  return lock as KernelLock;
}

/** Returns the contradictions among the committed files, each as one sentence with what to do; empty if all agree. */
export function committedFaults(workspace = WORKSPACE): string[] {
  const faults: string[] = [];
  let lock: KernelLock;
  let kernel: Buffer;
  let text: string;
  let cargoLock: Buffer;
  try {
    lock = readLock(workspace);
    kernel = readFileSync(join(workspace, KERNEL_FILE));
    text = readFileSync(join(workspace, INLINED_FILE), "utf8");
    cargoLock = readFileSync(join(workspace, "Cargo.lock"));
  } catch (error) {
    return [`a committed file cannot be read: ${(error as Error).message}. Run \`pnpm kernel:build\`.`];
  }
  if (sha256(kernel) !== lock.sha256 || kernel.length !== lock.bytes)
    faults.push(
      `${KERNEL_FILE} has ${kernel.length} bytes and SHA-256 ${sha256(kernel)}; ${LOCK_FILE} says ${lock.bytes} ` +
        `bytes and ` +
        `${lock.sha256}. Do not use it: restore both from the repository, or run \`pnpm kernel:build\`.`,
    );
  if (text !== inlined(kernel, packedIn(text, kernel)))
    faults.push(`${INLINED_FILE} does not hold the bytes of ${KERNEL_FILE}. Run \`pnpm kernel:build\`.`);
  if (sha256(cargoLock) !== lock.cargo_lock_sha256)
    faults.push(`Cargo.lock is not the one that ${KERNEL_FILE} was built with. Run \`pnpm kernel:build\`.`);
  if (hashSources(workspace) !== lock.sources_sha256)
    faults.push(`the Rust sources are not those that ${KERNEL_FILE} was built from. Run \`pnpm kernel:build\`.`);
  const [recorded, wanted] = [lock.toolchain, currentToolchain(workspace)].map((toolchain) =>
    JSON.stringify(toolchain),
  );
  if (recorded !== wanted)
    faults.push(
      `${LOCK_FILE} records another toolchain than toolchain/pins.ts and Cargo.toml name. Run \`pnpm kernel:build\`.`,
    );
  return faults;
}

/** Returns the module that holds the kernel as text, for bundles of one file and for pages without requests. */
function inlined(kernel: Uint8Array, packed: Uint8Array): string {
  return [
    "// Generated by `pnpm kernel:build` from kernel.wasm. Do not edit.",
    "",
    "/** SHA-256 of kernel.wasm in lowercase hex. */",
    `export const KERNEL_SHA256 = "${sha256(kernel)}";`,
    "",
    "/** How many bytes kernel.wasm has. */",
    `export const KERNEL_LENGTH = ${kernel.length};`,
    "",
    "/** kernel.wasm, deflated (RFC 1951), in base64. */",
    `export const KERNEL_BASE64 =\n  "${Buffer.from(packed).toString("base64")}";`,
    "",
  ].join("\n");
}

/** Returns the deflate stream that is inlined already if it gives this kernel and is shorter than zlib's. */
function packed(kernel: Uint8Array, workspace: string): Uint8Array {
  const file = join(workspace, INLINED_FILE);
  const kept = existsSync(file) ? packedIn(readFileSync(file, "utf8"), kernel) : Buffer.of();
  const own = deflateRawSync(kernel, { level: 9 });
  return kept.length > 0 && kept.length < own.length ? kept : own;
}

/**
 * Returns the deflate stream of such a module, if it gives the kernel; otherwise an empty one. Another zlib may write
 * other bytes for the same content.
 */
function packedIn(text: string, kernel: Uint8Array): Uint8Array {
  const [, base64 = ""] = /KERNEL_BASE64 =\n {2}"([^"]*)"/.exec(text) ?? [];
  const packed = Buffer.from(base64, "base64");
  try {
    if (inflateRawSync(packed, { maxOutputLength: kernel.length || 1 }).equals(kernel)) return packed;
  } catch {
    // No deflate stream, or one longer than the kernel.
  }
  return Buffer.of();
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
