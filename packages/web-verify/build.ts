/**
 * Builds `dist/verify.html`: the whole page in one file, whose policy names its own script and style by their hashes.
 * It also writes the SHA-256 of the page, and the same functions as a module for scripts, `svc-verify.mjs`, with its
 * typings. The same sources give the same bytes. Run it directly, or import `buildPage`.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, transform } from "esbuild";
import { minify } from "terser";
import { VERSION } from "../core/src/version.ts";
import { REPORT_STYLE } from "../report/src/page/style.ts";
import { KERNEL_BASE64 } from "../wasm/src/generated/kernel-base64.ts";
import { KERNEL_SHA256 } from "../wasm/src/index.ts";
import * as api from "./src/api.ts";
import { typings } from "./typings.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = fileURLToPath(new URL("src", import.meta.url));

/** The names by which the page's code has the kernel's bytes, and the style of a report. */
const [KERNEL, STYLE] = ["KERNEL", "STYLE"];

/** The path of the built page. */
export const PAGE_FILE: string = fileURLToPath(new URL("dist/verify.html", import.meta.url));

/** The built page and its parts. */
export interface BuiltPage {
  readonly html: string;
  readonly sha256Hex: string;
  readonly policy: string;
}

let made: Promise<BuiltPage> | undefined;

/**
 * Makes the page in memory, once in a process: other products hold it, or its hash, and to shorten its script takes
 * ten seconds. Rejects with the errors of esbuild.
 */
export function makePage(): Promise<BuiltPage> {
  made ??= makeNewPage();
  return made;
}

async function makeNewPage(): Promise<BuiltPage> {
  const code = await bundle("packages/web-verify/src/main.ts", {
    format: "iife",
    plugins: [kernelElsewhere, styleElsewhere],
  });
  // A default of a parameter would forbid the "use strict" of the code.
  const script = `[${JSON.stringify(REPORT_STYLE)}].map(${STYLE}=>(${KERNEL}=>{${code}})("${KERNEL_BASE64}"))`;
  const style = (
    await transform(`${REPORT_STYLE}${readFileSync(join(source, "page.css"), "utf8")}`, { loader: "css", minify: true })
  ).code.trim();
  const policy = policyFor(hashOf(script), hashOf(style));
  const values: Readonly<Record<string, string>> = {
    policy,
    style: `<style>${style}</style>`,
    script: `<script>${script}</script>`,
    version: VERSION,
    "script-hash": hashOf(script),
    "kernel-hash": KERNEL_SHA256,
  };
  const html = readFileSync(join(source, "page.html"), "utf8").replaceAll(
    /<!--\{\{([\w-]+)\}\}-->|\{\{([\w-]+)\}\}/g,
    (_, whole?: string, name = whole ?? "") => {
      const value = values[name];
      if (value === undefined) throw new Error(`page.html asks for ${name}, which is not known`);
      return value;
    },
  );
  return { html, sha256Hex: createHash("sha256").update(html).digest("hex"), policy };
}

/** Builds everything at `outfile` and beside it. */
export async function buildPage(outfile = PAGE_FILE): Promise<BuiltPage> {
  const page = await makePage();
  mkdirSync(dirname(outfile), { recursive: true });
  writeWhole(outfile, page.html);
  writeWhole(`${outfile}.sha256`, `${page.sha256Hex}  ${basename(outfile)}\n`);
  writeWhole(
    join(dirname(outfile), "svc-verify.mjs"),
    await bundle("packages/web-verify/src/api.ts", { format: "esm", plugins: [] }),
  );
  writeWhole(join(dirname(outfile), "svc-verify.d.mts"), typings(Object.keys(api)));
  return page;
}

/** A server may be reading the file: it gets the old file or the new one, never half of one. */
function writeWhole(path: string, text: string): void {
  const next = `${path}.${process.pid}.tmp`;
  writeFileSync(next, text);
  renameSync(next, path);
}

/**
 * The policy forbids everything but this script, this style, a worker made of the script, and the compilation of the
 * kernel.
 */
function policyFor(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src 'sha256-${script}' 'wasm-unsafe-eval'`,
    `style-src 'sha256-${style}'`,
    "worker-src blob:",
    "connect-src 'none'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types svc-worker",
  ].join("; ");
}

/**
 * Leaves the kernel's bytes out: the page has them behind its code. In front of code or between pieces of it they
 * would share a block of gzip with it, which then fits neither.
 */
const kernelElsewhere: Plugin = {
  name: "kernel elsewhere",
  setup({ onLoad }) {
    onLoad({ filter: /kernel-base64\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(`"${KERNEL_BASE64}"`, KERNEL),
      loader: "ts",
    }));
  },
};

/**
 * Leaves the style of a report out: the page has it in front of its code, near its own style, which begins with the
 * same rules. gzip finds again only what is at most 32 kB away.
 */
const styleElsewhere: Plugin = {
  name: "style elsewhere",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]report[\\/]src[\\/]page[\\/]style\.ts$/ }, () => ({
      contents: `export const REPORT_STYLE: string = ${STYLE};`,
      loader: "ts",
    }));
  },
};

/** How an entry is built. */
interface BundleOptions {
  readonly format: "iife" | "esm";
  readonly plugins: Plugin[];
}

async function bundle(entry: string, { format, plugins }: BundleOptions): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: "out.js",
    write: false,
    bundle: true,
    plugins,
    minify: true,
    format,
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`no output for ${entry}`);
  // esbuild gives all names of a file their letters at once; names by scope repeat, and compress better. Function
  // expressions become arrows, which is safe here: classes are the only constructors.
  const { code = "" } = await minify(file.text, {
    ecma: 2022,
    module: format === "esm",
    toplevel: true,
    compress: { passes: 5, keep_fargs: false, unsafe_arrows: true },
    format: { comments: false },
  });
  // A browser ends the script at such text, even inside a string.
  if (code === "" || /<\/script|<!--/i.test(code))
    throw new Error(`${entry}: text that would end the script of a page`);
  return code.trim();
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { html, sha256Hex } = await buildPage();
  // Standard output belongs to the command that runs after this one.
  console.error(`built ${PAGE_FILE.slice(root.length)} (${Buffer.byteLength(html)} bytes, SHA-256 ${sha256Hex})`);
}
