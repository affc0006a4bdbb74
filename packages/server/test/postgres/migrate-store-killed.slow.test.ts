/**
 * A move that is killed at any point: at each of them one of the two databases can be served, or neither, and never
 * both; the same command goes on, and the deployment is whole then.
 */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ServerLocation } from "@svc/host/store";
import { newServerPlace, ON_NAMED } from "@svc/testkit/drivers";
import { command, killedAt } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { failpointsOfServer } from "../../../../tools/chaos/failpoints.ts";
import { type DatabaseSettings, IN_FOLDER } from "../../src/deployment/database.ts";
import { type Movable, movableDeployment, rowsOfFile, rowsOfServer, served, settingsOf } from "./movable-deployment.ts";

/** The points at which a move to a server, and one to a file, is killed: their names, and how often they have come. */
const TO_SERVER = [
  ...pointsOf("migrate-store: "),
  ...portions(2, 9, 22),
  ["commit: due", 14],
  ["commit: done", 20],
] as const;
const TO_FILE = [
  ...pointsOf("migrate-back: "),
  ...portions(1, 8, 22),
  ["commit: due", 17],
  ["commit: done", 22],
] as const;

function pointsOf(prefix: string): [string, number][] {
  const names = failpointsOfServer().filter((name) => name.startsWith(prefix));
  assert.ok(names.length > 4, names.join());
  return names.map((name) => [name, 1]);
}

function portions(...numbers: readonly number[]): [string, number][] {
  return numbers.map((number) => ["migrate-store: portion copied", number]);
}

function environmentOf({ url, risks }: ServerLocation): Record<string, string> {
  return { SVC_DATABASE_URL: url, SVC_DATABASE_RISKS: risks.join(",") };
}

/** Records an event where a database is served, and resolves to null; to the refusal where it is not. */
async function refusalOf(
  movable: Movable,
  folder: string,
  settings: DatabaseSettings,
  exportsFolder: string | null = null,
): Promise<string | null> {
  let isOpen = false;
  const record = async ({ url }: { readonly url: string }) => {
    isOpen = true;
    const { status, text } = await new Client(url, movable.apiKey).append(
      movable.streamId,
      loan(7),
      `${Math.random()}`,
    );
    assert.equal(status, 201, text);
    return null;
  };
  return served(folder, settings, record, exportsFolder).catch((error: Error) => {
    if (isOpen) throw error;
    return error.message;
  });
}

/** A copy of a folder, as another machine may have it, that says that its database is on a server. */
function otherFolder(folder: string): string {
  const other = join(temporaryFolder(), "other");
  mkdirSync(other, { mode: 0o700 });
  for (const name of readdirSync(folder))
    if (/pem$|pepper|exports|progress/.test(name)) cpSync(join(folder, name), join(other, name), { recursive: true });
  writeFileSync(join(other, "database.json"), "{}\n", { mode: 0o600 });
  return other;
}

interface Sides {
  readonly movable: Movable;
  readonly folder: string;
  readonly place: ServerLocation;
}

/** Resolves to which databases can be served; each gets an event. Every refusal names the way on in one line. */
async function servedOf({ movable, folder, place }: Sides): Promise<string[]> {
  // Servers that share a database share the packages.
  const other = await refusalOf(movable, otherFolder(folder), settingsOf(place), join(folder, "exports"));
  const own = existsSync(join(folder, "database.json")) ? settingsOf(place) : IN_FOLDER;
  const here = await refusalOf(movable, folder, own);
  for (const refusal of [other, here])
    if (refusal !== null) assert.match(refusal, /^[^\n]*(migrate-store|holds no deployment)[^\n]*$/);
  const isOnServer = own !== IN_FOLDER;
  return [...(here === null && !isOnServer ? ["file"] : []), ...(other === null ? ["server"] : [])];
}

async function moved({ folder, place }: Sides, ...words: string[]): Promise<void> {
  const { code, out, err } = await command(
    ["migrate-store", ...words, "--data", folder, "--json"],
    environmentOf(place),
  );
  assert.equal(code, 0, `${out}${err}`);
  assert.ok(JSON.parse(out).events > 10);
}

async function sidesOf(t: TestContext, movable: Movable): Promise<Sides> {
  const folder = join(temporaryFolder(), "data");
  cpSync(movable.folder, folder, { recursive: true });
  return { movable, folder, place: await newServerPlace(t) };
}

const options = ON_NAMED;

test("to a server: killed anywhere, one side is served or neither, and the next call ends it", options, async (t) => {
  const movable = await movableDeployment();
  for (const [failpoint, nth] of TO_SERVER)
    await t.test(`${failpoint}, ${nth}`, async (inner) => {
      const sides = await sidesOf(inner, movable);
      const { folder, place } = sides;
      await killedAt(failpoint, ["migrate-store", "--to", "--data", folder], environmentOf(place), nth);
      const isAtFile = existsSync(join(folder, "svc.db"));
      const are = await servedOf(sides);
      assert.deepEqual(
        are,
        failpoint === "migrate-store: done"
          ? ["server"]
          : isAtFile && failpoint !== "migrate-store: file left"
            ? ["file"]
            : [],
      );
      const before = isAtFile ? rowsOfFile(join(folder, "svc.db")) : null;
      if (are[0] !== "server") await moved(sides, "--to");
      if (before !== null) assert.deepEqual(await rowsOfServer(place), before);
      assert.deepEqual(await servedOf(sides), ["server"]);
      assert.ok(!existsSync(join(folder, "svc.db")));
      // The old file is not served under its old name either.
      const back = otherFolder(folder);
      rmSync(join(back, "database.json"));
      cpSync(join(folder, "svc.db.migrated"), join(back, "svc.db"));
      assert.match(`${await refusalOf(movable, back, IN_FOLDER)}`, /not served any more: .* moved it to the database/);
    });
});

test("to a file: killed anywhere, one side is served or neither, and the next call ends it", options, async (t) => {
  const movable = await movableDeployment();
  for (const [failpoint, nth] of TO_FILE)
    await t.test(`${failpoint}, ${nth}`, async (inner) => {
      const sides = await sidesOf(inner, movable);
      const { folder, place } = sides;
      await moved(sides, "--to");
      rmSync(join(folder, "svc.db.migrated"));
      await killedAt(failpoint, ["migrate-store", "--to-file", "--data", folder], environmentOf(place), nth);
      const isLeft = ["server left", "folder says nothing", "file unmarked", "done"].some(
        (step) => failpoint === `migrate-back: ${step}`,
      );
      const are = await servedOf(sides);
      assert.deepEqual(are, failpoint === "migrate-back: done" ? ["file"] : isLeft ? [] : ["server"]);
      const before = isLeft ? null : await rowsOfServer(place);
      if (are[0] !== "file") await moved(sides, "--to-file");
      if (before !== null) assert.deepEqual(rowsOfFile(join(folder, "svc.db")), before);
      assert.deepEqual(await servedOf(sides), ["file"]);
      assert.deepEqual(
        readdirSync(folder).filter((name) => /database|svc\.db/.test(name)),
        ["svc.db"],
      );
    });
});
