/** The Go package render prints of every fixture's report what the npm command prints, byte for byte. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report, TrustPolicy } from "@svc/core";
import { renderReport } from "../../../packages/cli/src/render/report.ts";
import { go, goTest } from "./toolchain.ts";

const FIXTURES = fileURLToPath(new URL("../../../fixtures", import.meta.url));
/** A name that a terminal must not get as it is. */
const NAME = "acme\u202e 2026";

interface Fixture {
  readonly input?: string;
  readonly input_base64?: string;
  readonly trust: TrustPolicy | null;
}

/** Returns the pages of one fixture: once in short, once whole, with a name and a trust file. */
function pagesOf(path: string): object[] {
  const fixture = read(join(FIXTURES, "cases", path)) as Fixture;
  const kernel = { name: "svc", version: "0", kernel_sha256: "ab".repeat(32) };
  const report = { verifier: kernel, ...(read(join(FIXTURES, "reports", path)) as object) } as Report;
  const bytes = Buffer.from(
    fixture.input ?? fixture.input_base64 ?? "",
    fixture.input === undefined ? "base64" : "utf8",
  );
  const trust = Array.isArray(fixture.trust?.signers) ? (fixture.trust ?? undefined) : undefined;
  const [signer] = trust?.signers ?? [];
  return [false, true].map((isWhole) => {
    const names = isWhole && signer !== undefined ? { [signer.kid]: NAME } : {};
    const kind = isWhole ? report.kind : null;
    const trustFile = isWhole ? "t.json" : undefined;
    const call = { kind, file: "a b.json", trustFile, trust, names, isWhole };
    const lines = renderReport(report, { bytes, kind: () => null }, call, 0.01, (_tone, text) => text);
    return {
      name: path,
      report,
      lines,
      bytes: bytes.toString("base64"),
      kind,
      trust_file: trustFile ?? "",
      is_whole: isWhole,
      has_trust: trust !== undefined,
      names,
      signers: trust?.signers ?? [],
      known: trust?.known_checkpoints ?? [],
    };
  });
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

goTest("the pages of all fixtures are those of the npm command", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-pages-"));
  try {
    const paths = globSync("*/*.json", { cwd: join(FIXTURES, "cases") });
    const file = join(folder, "pages.json");
    writeFileSync(file, JSON.stringify(paths.flatMap(pagesOf)));
    go(".", ["test", "-count=1", "-run", "TestPagesAreThoseOfTheCommand", "./render"], { SVC_PAGES: file });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
