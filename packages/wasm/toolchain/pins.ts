/**
 * Everything besides the sources that decides the bytes of `kernel.wasm`: the exact compiler, linker, wasm-bindgen,
 * flags and the one fixed folder. Change a line here, run `pnpm kernel:build`, and commit both: `kernel.lock.json`
 * repeats this table for auditors.
 */

/** Debian 12 packages whose version decides the bytes. */
export const BYTE_PACKAGES: Readonly<Record<string, string>> = {
  "rustc-web": "1.96.0+dfsg1-1~deb12u2",
  "cargo-web": "1.96.0+dfsg1-1~deb12u2",
  "rust-web-src": "1.96.0+dfsg1-1~deb12u2",
  libllvm22: "1:22.1.8-1~deb12u1",
  "lld-22": "1:22.1.8-1~deb12u1",
};

/** Linters of the same release, so that everyone's findings are the same; they do not touch the bytes. */
export const LINT_PACKAGES: Readonly<Record<string, string>> = {
  "rust-web-clippy": "1.96.0+dfsg1-1~deb12u2",
  "rustfmt-web": "1.96.0+dfsg1-1~deb12u2",
};

/** Needed in any version: they link build scripts and procedural macros, and no part of them is in the kernel. */
export const OTHER_PACKAGES: readonly string[] = ["gcc", "libc6-dev"];

/** The release and the code name of the distribution that has these packages. */
export const DISTRIBUTION = { id: "debian", codename: "bookworm", name: "Debian 12 (bookworm)" } as const;

/** The output of `rustc --version`. */
export const RUSTC_VERSION = "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)";

/** Must be the version in crates/glue/Cargo.toml. */
export const WASM_BINDGEN_VERSION = "0.2.129";

export const TARGET = "wasm32-unknown-unknown";

/**
 * The folder in which the standard library is compiled. Its path enters the names of the library's symbols, and so the
 * bytes. For the same reason it is not below anyone's home folder.
 */
export const SEED_FOLDER = "/var/cache/svc-kernel-toolchain/seed";

/**
 * A panic is a trap, and nothing else: without the code for its message the kernel is a tenth smaller, and there is
 * less to audit. The flag is not stable yet, so RUSTC_BOOTSTRAP is set for it.
 */
const TRAP_ON_PANIC = ["-Zunstable-options", "-Cpanic=immediate-abort"];

/** How the standard library is compiled: without bitcode in it, link-time optimization of the kernel fails. */
export const STD_RUSTFLAGS: string = ["-Cembed-bitcode=yes", ...TRAP_ON_PANIC].join(" ");

/** How the kernel is compiled. The names in braces stand for folders that must not appear in the bytes. */
export const RUSTFLAGS: readonly string[] = [
  "-Ctarget-feature=+simd128",
  ...TRAP_ON_PANIC,
  "--remap-path-prefix={registry sources}=/cargo",
  "--remap-path-prefix={workspace}=/src",
  "--remap-path-prefix={target}=/target",
];

/**
 * These flags do not change the code, because only exports of numbers are used: they remove everything that is not
 * code.
 */
export const WASM_BINDGEN_FLAGS: readonly string[] = [
  "--target=web",
  "--no-typescript",
  "--remove-name-section",
  "--remove-producers-section",
];
