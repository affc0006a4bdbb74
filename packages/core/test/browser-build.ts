/** Core in the form in which a page loads it: one minified module, built in memory. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** The kernel's bytes as text, which have a separate limit: `pnpm bench kernel size`. */
const KERNEL_BYTES = "*/kernel-base64.ts";

/** One build. */
export interface BrowserBuild {
  readonly code: string;
  /** The bytes of the code after `gzip -9`. */
  readonly gzipBytes: number;
  /** The imports of the code, other than the kernel's bytes. */
  readonly imports: readonly string[];
  /** The bytes of the code that come from each file, by its path in the repository; the largest first. */
  readonly sources: readonly (readonly [path: string, bytes: number])[];
}

/**
 * Builds `entry`, the text of a module in core's source folder. The kernel's bytes stay outside, except for code that
 * is to run with them. Rejects as esbuild does, and for its warnings.
 */
export async function buildForBrowsers(entry: string, kernel?: "with the kernel"): Promise<BrowserBuild> {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const { outputFiles, metafile, warnings } = await build({
    absWorkingDir: root,
    stdin: { contents: entry, resolveDir: "packages/core/src" },
    outfile: "core.js",
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    external: kernel === undefined ? [KERNEL_BYTES] : [],
    logLevel: "silent",
  });
  const [file] = outputFiles;
  const output = metafile.outputs["core.js"];
  if (file === undefined || output === undefined || warnings.length > 0)
    throw new Error(`no clean build: ${warnings.map(({ text }) => text)}`);
  return {
    code: file.text,
    gzipBytes: gzipSync(file.contents, { level: 9 }).length,
    imports: output.imports.map(({ path }) => path).filter((path) => !path.endsWith(KERNEL_BYTES.slice(1))),
    sources: Object.entries(output.inputs)
      .map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const)
      .filter(([, bytes]) => bytes > 0)
      .sort(([, a], [, b]) => b - a),
  };
}
