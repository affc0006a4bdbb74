/**
 * The packages of tools/ that scripts install, beside those that they import. It follows every import that is written
 * in the sources; it does not see a path that is computed at run time.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { SCRIPTS } from "./run.mjs";

/** Resolves to a sentence for each script that imports a package of a set under tools/ which it does not install. */
export async function scriptToolFaults(root: string): Promise<string[]> {
  const manifests = globSync("packages/*/package.json", { cwd: root });
  const always = new Set([".", ...manifests.map(dirname)].flatMap((folder) => packagesOf(root, folder)));
  const sets = ["compiler", "programs", "test-tools"].map((name) => ({
    name,
    packages: packagesOf(root, `tools/${name}`).filter((one) => !always.has(one)),
  }));
  const faults: string[] = [];
  for (const [script, { tools, steps }] of Object.entries(SCRIPTS))
    for (const entry of steps.flat().filter((word) => word.endsWith(".ts"))) {
      const imported = await importedPackages(root, entry);
      for (const { name, packages } of sets)
        if (!tools.includes(name))
          for (const missing of imported.filter((one) => packages.includes(one)))
            faults.push(`tools/run.mjs: ${script} imports ${missing} of tools/${name}, and does not install that`);
    }
  return faults;
}

function packagesOf(root: string, folder: string): readonly string[] {
  const {
    dependencies = {},
    devDependencies = {},
    optionalDependencies = {},
  } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
}

/** Only our own packages are followed. */
const OTHERS_STAY_OUT: Plugin = {
  name: "others stay out",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      kind === "entry-point" || path.startsWith("@svc/") || path.startsWith("/") ? null : { path, external: true },
    ),
};

/** Resolves to the names of the packages that a program imports before it runs. */
async function importedPackages(root: string, entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    plugins: [OTHERS_STAY_OUT],
  });
  const [output] = Object.values(metafile.outputs);
  const names = (output?.imports ?? [])
    .filter(({ external, kind }) => external === true && kind === "import-statement")
    .map(({ path }) => /^(@[^/]+\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path);
  return [...new Set(names)];
}
