/**
 * Builds the bytes of `kernel.wasm` from the sources, with cargo and wasm-bindgen. The sources are copied first and
 * built in the copy, so that exactly the files that the lock hashes are built, and no Cargo configuration above the
 * checkout has a say.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { CARGO, WASM_BINDGEN } from "./install.ts";
import { RUSTFLAGS, TARGET, WASM_BINDGEN_FLAGS } from "./pins.ts";
import { run, ToolchainError } from "./run.ts";
import { stageSources } from "./sources.ts";

/** The used parts of WebAssembly: Node's types leave it to those of the DOM. */
declare const WebAssembly: {
  readonly Module: (new (
    bytes: Uint8Array,
  ) => object) & {
    imports(module: object): readonly { readonly module: string; readonly name: string }[];
  };
};

/**
 * Builds the sources of a workspace in `folder`, whose own `target` folder may hold an earlier build. Returns the
 * kernel.
 */
export function compileKernel(workspace: string, folder: string): Buffer {
  stageSources(workspace, folder);
  const cargoHome = process.env.CARGO_HOME || join(homedir(), ".cargo");
  const target = join(folder, "target");
  run(CARGO, ["fetch", "--locked"], { cwd: folder, hint: "Is the crates registry reachable?" });
  const flags = RUSTFLAGS.flatMap((flag) => {
    if (flag.includes("{registry sources}"))
      return registries(cargoHome).map((registry) => flag.replace("{registry sources}", registry));
    return flag.replace("{workspace}", folder).replace("{target}", target);
  });
  run(CARGO, ["build", "--release", "--locked", "--offline", "--target", TARGET, "--package", "svc-kernel-wasm"], {
    cwd: folder,
    // Separated by unit separators, a folder with a space in its name stays one flag.
    env: { CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f"), CARGO_TARGET_DIR: target, RUSTC_BOOTSTRAP: "1" },
    hint: "The compiler's message above says where.",
  });
  const out = join(target, "wasm-bindgen");
  const compiled = join(target, TARGET, "release/svc_kernel_wasm.wasm");
  run(WASM_BINDGEN, [...WASM_BINDGEN_FLAGS, "--out-dir", out, "--out-name", "kernel", compiled]);
  const kernel = readFileSync(join(out, "kernel_bg.wasm"));
  refuseLeaks(kernel, [folder, cargoHome, homedir()]);
  refuseImports(kernel);
  return kernel;
}

/**
 * Returns one folder for each registry that crates were unpacked from: its name depends on how the registry is reached.
 */
function registries(cargoHome: string): string[] {
  const sources = join(cargoHome, "registry/src");
  return existsSync(sources) ? readdirSync(sources).map((name) => join(sources, name)) : [];
}

/** A path of this machine in the kernel would make it another kernel on the next machine. */
function refuseLeaks(kernel: Buffer, folders: readonly string[]): void {
  const leaked = folders.find((folder) => folder.length > 1 && kernel.includes(`${folder}/`));
  if (leaked !== undefined)
    throw new ToolchainError(
      `The built kernel holds the path ${leaked}. Add a --remap-path-prefix to RUSTFLAGS in pins.ts.`,
    );
}

/** The loader gives the kernel nothing: a kernel with an import would fail at its first use, on every machine. */
function refuseImports(kernel: Buffer): void {
  const wanted = WebAssembly.Module.imports(new WebAssembly.Module(kernel));
  if (wanted.length > 0)
    throw new ToolchainError(
      `The built kernel imports ${wanted.map(({ module, name }) => `${module}.${name}`).join(", ")}, and the ` +
        `loader provides ` +
        "nothing. Exports may take and return numbers only; see crates/glue.",
    );
}
