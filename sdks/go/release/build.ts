/**
 * Builds the command `svc` in Go for every machine that it is released for. The same sources and the same Go give the
 * same bytes in any folder and on any machine: no path, time, commit or setting of the builder comes into a program.
 */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A system and a processor, as Go names them. */
export interface Target {
  readonly os: "linux" | "darwin" | "windows" | "freebsd";
  readonly arch: "amd64" | "arm64" | "386";
}

const SYSTEMS = ["linux", "darwin", "windows", "freebsd"] as const;
const PROCESSORS = ["amd64", "arm64"] as const;

/** All machines that `svc` is released for. */
export const TARGETS: readonly Target[] = [
  ...SYSTEMS.flatMap((os) => PROCESSORS.map((arch) => ({ os, arch }))),
  { os: "linux", arch: "386" },
];

/** Without tables of symbols, and without Go's own hash of what went into the link. */
const LINKED = "-s -w -buildid=";

/** Settings of Go that change a program, each as Go has it where nobody sets it. */
const PLAIN = {
  CGO_ENABLED: "0",
  GO386: "sse2",
  GOAMD64: "v1",
  GOARM64: "v8.0",
  GOENV: "off",
  GOEXPERIMENT: "",
  GOFIPS140: "off",
  GOFLAGS: "-mod=readonly",
  GOTOOLCHAIN: "local",
  // Each module with what it requires by itself: a workspace would raise one by what another asks for.
  GOWORK: "off",
} as const;

/** Variables of the builder that Go needs to find its own files, and modules that are not here yet. */
const HANDED_ON = ["PATH", "GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB", "SSL_CERT_FILE"];

/** Resolves to what `go` prints in a folder, under the settings of a release. Rejects with all that it said. */
export async function releaseGo(folder: string, words: readonly string[], target?: Target): Promise<string> {
  const given = HANDED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const machine = target === undefined ? {} : { GOOS: target.os, GOARCH: target.arch };
  const env = { HOME: homedir(), ...Object.fromEntries(given), ...PLAIN, ...machine };
  const { stdout } = await run("go", words, { cwd: folder, env, maxBuffer: 2 ** 26 });
  return stdout;
}

/** Returns the name of a program's file. */
export function fileName(version: string, { os, arch }: Target): string {
  return `svc-${version}-${os}-${arch}${os === "windows" ? ".exe" : ""}`;
}

/** Builds one program from the modules in a folder (`sdks/go`, or a copy), and resolves to the path of its file. */
export async function buildProgram(modules: string, out: string, version: string, target: Target): Promise<string> {
  await mkdir(out, { recursive: true });
  const path = join(out, fileName(version, target));
  const words = ["build", "-trimpath", "-buildvcs=false", "-ldflags", LINKED, "-o", path, "."];
  await releaseGo(join(modules, "cmd/svc"), words, target);
  return path;
}
