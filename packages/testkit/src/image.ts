/**
 * An image, made without Docker: each COPY and RUN of a Dockerfile is done unchanged, in an empty folder for each
 * stage, and the result is started as the image would be. It cannot show the base image: the pinned Node of this
 * machine replaces it.
 */
import assert from "node:assert/strict";
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Lifetime } from "./lifetime.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Whether tests run as root: only root can start a program as another user. */
export const IS_ROOT = process.getuid?.() === 0;

/** An instruction: its name, and the rest. */
type Instruction = readonly [name: string, rest: string];
type Stage = readonly Instruction[];

/** A Dockerfile with a stage that builds and one that is the image, and the names that never reach its build. */
export class Dockerfile {
  readonly text: string;
  readonly stages: readonly Stage[];
  readonly #ignored: readonly RegExp[];

  /** `path`: from the root of the repository. */
  constructor(path: string) {
    const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
    this.text = read(path);
    this.stages = this.text
      .replace(/\\\n\s*/g, "")
      .split(/^(?=FROM )/m)
      .slice(1)
      .map((stage) =>
        stage
          .split("\n")
          .filter((line) => line !== "" && !line.startsWith("#"))
          .map((line): Instruction => {
            const [name = "", rest = ""] = line.split(/ (.*)/s);
            return [name, rest];
          }),
      );
    this.#ignored = read(`${path}.dockerignore`)
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => new RegExp(`^${basename(line).replaceAll(".", "\\.").replaceAll("*", ".*")}$`));
  }

  /** Returns the instructions of this name in the stage that is the image, without their names. */
  those(name: string): string[] {
    return (this.stages.at(-1) ?? []).filter(([own]) => own === name).map(([, rest]) => rest);
  }

  /** Returns whether a file or folder of this name never reaches a build. */
  ignores(name: string): boolean {
    return this.#ignored.some((one) => one.test(name));
  }

  /** Does the instructions of all stages, and returns the image. */
  make(): Image {
    let root: string | null = null;
    for (const stage of this.stages) root = this.#makeStage(stage, root);
    assert.ok(root !== null);
    return new Image(this, root);
  }

  /**
   * Does the instructions of a stage, in an empty folder that stands for its root. `stageRoot`: the root of the stage
   * from which it takes files.
   */
  #makeStage(stage: Stage, stageRoot: string | null): string {
    const root = temporaryFolder();
    let workdir = "/";
    for (const [name, rest] of stage) {
      if (name === "WORKDIR") {
        workdir = rest;
        mkdirSync(join(root, workdir), { recursive: true });
      } else if (name === "COPY") this.#copy(rest, root, workdir, stageRoot);
      else if (name === "RUN") run(rest, root, workdir);
    }
    return root;
  }

  #copy(rest: string, root: string, workdir: string, stageRoot: string | null): void {
    const words = rest.replace(/^--from=build /, "").split(" ");
    const to = words.pop() ?? "";
    const from = rest.startsWith("--from=") ? stageRoot : ROOT;
    for (const source of words) {
      assert.ok(from !== null && existsSync(join(from, source)), `COPY ${rest}: there is no ${source}`);
      const target = join(root, to.startsWith("/") ? "/" : workdir, to, to.endsWith("/") ? basename(source) : "");
      const isSent = (path: string) => from !== ROOT || !this.ignores(basename(path));
      cpSync(join(from, source), target, { recursive: true, filter: isSent });
    }
  }
}

function run(rest: string, root: string, workdir: string): void {
  // A user other than root cannot give files away, so they stay its own.
  const owner = IS_ROOT ? "10001:10001" : `${process.getuid?.()}:${process.getgid?.()}`;
  const command = rest.replaceAll(/ (\/\S*)/g, ` "${root}$1"`).replaceAll("10001:10001", owner);
  const env = { ...process.env, PATH: `${join(process.execPath, "..")}${delimiter}${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd: join(root, workdir),
    env,
    encoding: "utf8",
  });
  assert.equal(status, 0, `RUN ${rest}\n${stdout}${stderr}`);
}

/** A container that runs. */
export interface Container {
  readonly url: string;
  readonly child: ChildProcess;
  /** Runs the check of the image, and returns its exit code. */
  readonly health: () => number | null;
}

/** The files of an image, whose programs are started as its user, with its environment alone. */
export class Image {
  readonly root: string;
  /** The environment that the image sets, with paths in this root. */
  readonly environment: Readonly<Record<string, string>>;
  /** The user's number; that of the tests if they do not run as root. */
  readonly uid: number | undefined;
  readonly #dockerfile: Dockerfile;
  readonly #node: string;
  readonly #entry: readonly string[];
  readonly #as: Pick<SpawnOptions, "uid" | "gid">;

  constructor(dockerfile: Dockerfile, root: string) {
    this.#dockerfile = dockerfile;
    this.root = root;
    // The user of the image can reach nothing of this machine except the folder.
    chmodSync(root, 0o755);
    this.#node = join(root, "node");
    copyFileSync(process.execPath, this.#node);
    const [settings = ""] = dockerfile.those("ENV");
    this.environment = Object.fromEntries(
      settings.split(" ").map((one) => one.replace("=/", `=${root}/`).split("=") as [string, string]),
    );
    const [uid = 0, gid = 0] = (dockerfile.those("USER")[0] ?? "").split(":").map(Number);
    assert.ok(uid > 0 && gid > 0);
    this.#as = IS_ROOT ? { uid, gid } : {};
    this.uid = IS_ROOT ? uid : process.getuid?.();
    const [program, ...words] = JSON.parse(dockerfile.those("ENTRYPOINT")[0] ?? "") as string[];
    assert.equal(program, "node");
    this.#entry = words.map((word) => (word.startsWith("/") ? join(root, word) : word));
  }

  /** Runs another command of the program in the place of the image's own, and returns its output. */
  command(...words: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(this.#node, [...this.#entry, ...words], {
      env: this.environment,
      cwd: "/",
      encoding: "utf8",
      ...this.#as,
    });
    assert.equal(status, 0, `${words.join(" ")}\n${stdout}${stderr}`);
    return stdout;
  }

  /**
   * Starts what the image starts, and resolves when it listens. `environment`: the loopback as the address, since tests
   * open no port to other machines, and a free port. `port`: the variable of the port, for the check of the image.
   */
  async start(t: Lifetime, environment: Readonly<Record<string, string>>, port: string): Promise<Container> {
    const words = JSON.parse(this.#dockerfile.those("CMD")[0] ?? "") as string[];
    const child = spawn(this.#node, [...this.#entry, ...words, "--json"], {
      env: { ...this.environment, ...environment },
      cwd: "/",
      ...this.#as,
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => child.kill("SIGKILL"));
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const [asked = ""] = this.#dockerfile.those("HEALTHCHECK").map((one) => one.slice(one.indexOf("CMD ") + 4));
    const [, ...check] = JSON.parse(asked) as string[];
    const env = { [port]: new URL(url).port };
    return { url, child, health: () => spawnSync(this.#node, check, { env }).status };
  }
}
