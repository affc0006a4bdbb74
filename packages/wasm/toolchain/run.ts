/** Runs other programs in an environment without anything that could change a compiler's output. */
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";

/** A failure whose message is enough: it is printed without a stack. */
export class ToolchainError extends Error {
  override name = "ToolchainError";
}

/** How a program is started. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Printed after "failed": what to do next. */
  readonly hint?: string;
}

/**
 * The variables for the network, the home folder, and the form of output. `RUSTFLAGS`, `RUSTC_WRAPPER`,
 * `CARGO_PROFILE_*` and their like are left out on purpose: with them two machines would build two kernels.
 */
const PASSED =
  /^(HOME|USER|LOGNAME|LANG|TERM|TMPDIR|\w+_proxy|\w+_PROXY|SSL_CERT_\w+|CARGO_(HOME|HTTP_\w+|NET_\w+|REGISTRIES_\w+|SOURCE_\w+|TERM_\w+))$/;

/**
 * Returns this process's environment without everything that could change a compiled byte. `/usr/bin` is first:
 * rustup's rustc is not found.
 */
export function quietEnvironment(): Record<string, string> {
  const passed = Object.entries(process.env).filter(([name]) => PASSED.test(name)) as [string, string][];
  return { ...Object.fromEntries(passed), LC_ALL: "C.UTF-8", PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };
}

/** Returns the folder for everything that may be deleted at any time: compiled tools, targets. */
export function cacheFolder(...parts: readonly string[]): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "svc-kernel", ...parts);
}

/** Runs a program and shows its output on standard error. Throws when it fails. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): void {
  const { error, status, signal } = spawnSync(program, args, {
    cwd: options.cwd,
    env: { ...quietEnvironment(), ...options.env },
    stdio: ["ignore", 2, 2],
  });
  if (error === undefined && status === 0) return;
  const why = error?.message ?? (signal === null ? `exit code ${status}` : signal);
  throw new ToolchainError(
    `\`${[program, ...args].join(" ")}\` failed: ${why}. ${options.hint ?? "Read what it printed above."}`,
  );
}

/**
 * Runs a program and returns its output on both channels and whether it succeeded; `null` if there is no such program.
 */
export function read(program: string, args: readonly string[]): { ok: boolean; text: string; errors: string } | null {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    env: quietEnvironment(),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return error === undefined ? { ok: status === 0, text: stdout, errors: stderr } : null;
}

/** Runs a command's main function: prints a ToolchainError and ends with exit code 1. */
export async function main(command: () => void | Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof ToolchainError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
