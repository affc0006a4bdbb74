/**
 * Builds `dist/svc-witness.mjs`: the whole witness in one file that needs nothing but Node 24. Run this file directly,
 * or import `buildWitness`.
 */
import { chmodSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** The path of the built program. */
export const WITNESS_FILE = fileURLToPath(new URL("dist/svc-witness.mjs", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

const FORM = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  legalComments: "eof",
  logLevel: "warning",
} as const;

/** The oldest Node that can run it. */
const OLDEST = 24;
/** The first words of the program. They use nothing that is younger than Node 14. */
const NODE_CHECK = `if (Number(process.versions.node.split(".")[0]) < ${OLDEST}) {
  console.error(\`svc-witness: this needs Node ${OLDEST} or newer, and \${process.execPath} is Node \${process.versions.node}. Install Node ${OLDEST} and start svc-witness with that.\`);
  process.exit(64);
}`;

/** Libraries that are no ES modules load Node's with `require`, which an ES module lacks. */
const REQUIRE = `import { createRequire as requireOfModule } from "node:module";
const require = requireOfModule(import.meta.url);`;

/**
 * Asks for `node:sqlite` while the program runs. An older Node has none, and would end with a stack trace that names no
 * remedy, before the first words of a program that imports it.
 */
const sqliteLate: Plugin = {
  name: "sqlite-late",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:sqlite$/ }, ({ path }) => ({ path, namespace: "late" }));
    onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
      contents: `export const { DatabaseSync } = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** The thread of the database, which is a file beside the program elsewhere. */
const THREAD_URL = /new URL\(`\.\/checkpoint-thread\..*?import\.meta\.url\)/;

/** Puts the program of the thread into the one file, as an address that holds it. */
const threadInside: Plugin = {
  name: "thread-inside",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]sqlite-checkpoints\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({
        absWorkingDir: root,
        entryPoints: ["packages/host/src/store/checkpoint-thread.ts"],
        write: false,
        ...FORM,
      });
      const address = `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString("base64")}`;
      const source = readFileSync(path, "utf8");
      if (!THREAD_URL.test(source)) throw new Error(`${path} starts its thread in another way: change build.ts`);
      return { contents: source.replace(THREAD_URL, `new URL(${JSON.stringify(address)})`), loader: "ts" };
    });
  },
};

/** Builds the one file, executable, at `outfile`. Rejects with esbuild's errors. */
export async function buildWitness(outfile = WITNESS_FILE): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ["packages/witness/src/main.ts"],
    outfile,
    banner: { js: `${REQUIRE}\n${NODE_CHECK}` },
    plugins: [sqliteLate, threadInside],
    ...FORM,
  });
  chmodSync(outfile, 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildWitness();
  console.error("built packages/witness/dist/svc-witness.mjs");
}
