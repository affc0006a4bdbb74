/**
 * The decisions of the toolchain: which packages apt has, whether the committed files agree, which files count as
 * sources. Nothing is compiled.
 */
import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { isDistribution, parsePolicy, planInstall, tellGone, unreadArchives } from "../toolchain/apt.ts";
import { tellDifference } from "../toolchain/compare.ts";
import {
  committedFaults,
  INLINED_FILE,
  KERNEL_FILE,
  LOCK_FILE,
  readLock,
  sha256,
  writeKernel,
} from "../toolchain/lock.ts";
import { WASM_BINDGEN_VERSION } from "../toolchain/pins.ts";
import { quietEnvironment } from "../toolchain/run.ts";
import { hashSources, listSources, stageSources } from "../toolchain/sources.ts";

const INSTALLED = `rustc-web:
  Installed: 1.96.0+dfsg1-1~deb12u2
  Candidate: 1.96.0+dfsg1-1~deb12u2
  Version table:
 *** 1.96.0+dfsg1-1~deb12u2 500
        500 http://deb.debian.org/debian-security bookworm-security/main amd64 Packages
        100 /var/lib/dpkg/status
     1.85.0+dfsg3-1~deb12u3 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
lld-22:
  Installed: (none)
  Candidate: 1:22.1.8-1~deb12u1
  Version table:
     1:22.1.8-1~deb12u1 500
        500 http://deb.debian.org/debian-security bookworm-security/main amd64 Packages
`;
/** A security update has replaced the pinned version: no archive offers the installed one any more. */
const REPLACED = `rustc-web:
  Installed: 1.96.0+dfsg1-1~deb12u2
  Candidate: 1.97.0+dfsg1-1~deb12u1
  Version table:
     1.97.0+dfsg1-1~deb12u1 500
        500 http://deb.debian.org/debian-security bookworm-security/main amd64 Packages
        500 http://mirror.example.org/debian-security bookworm-security/main amd64 Packages
 *** 1.96.0+dfsg1-1~deb12u2 100
        100 /var/lib/dpkg/status
`;

describe("what apt has", () => {
  test("installed and offered versions are read apart", () => {
    const states = parsePolicy(INSTALLED);
    assert.deepEqual([...states.keys()], ["rustc-web", "lld-22"]);
    assert.deepEqual(states.get("rustc-web"), {
      installed: "1.96.0+dfsg1-1~deb12u2",
      offered: ["1.96.0+dfsg1-1~deb12u2", "1.85.0+dfsg3-1~deb12u3"],
    });
    assert.deepEqual(states.get("lld-22"), { installed: null, offered: ["1:22.1.8-1~deb12u1"] });
  });

  test("a version that is only installed is not offered, and one of two archives is offered once", () => {
    assert.deepEqual(parsePolicy(REPLACED).get("rustc-web"), {
      installed: "1.96.0+dfsg1-1~deb12u2",
      offered: ["1.97.0+dfsg1-1~deb12u1"],
    });
  });

  test("no output is no package", () => assert.equal(parsePolicy("").size, 0));

  test("installed in the pinned version: nothing to do, even when no archive offers it", () => {
    for (const text of [INSTALLED, REPLACED])
      assert.deepEqual(planInstall({ "rustc-web": "1.96.0+dfsg1-1~deb12u2" }, parsePolicy(text)), {
        missing: [],
        gone: [],
      });
  });

  test("offered and not installed: missing", () => {
    const plan = planInstall(
      { "rustc-web": "1.85.0+dfsg3-1~deb12u3", "lld-22": "1:22.1.8-1~deb12u1" },
      parsePolicy(INSTALLED),
    );
    assert.deepEqual(plan.gone, []);
    assert.deepEqual(plan.missing, [
      { name: "rustc-web", version: "1.85.0+dfsg3-1~deb12u3" },
      { name: "lld-22", version: "1:22.1.8-1~deb12u1" },
    ]);
  });

  test("replaced by a newer version, or not known at all: gone, told by name and version", () => {
    const plan = planInstall({ "rustc-web": "1.95.0-1", "rust-web-src": "1.95.0-1" }, parsePolicy(REPLACED));
    assert.deepEqual(plan.missing, []);
    assert.equal(
      tellGone(plan.gone),
      "rustc-web 1.95.0-1 can no longer be installed (apt offers 1.97.0+dfsg1-1~deb12u1); " +
        "rust-web-src 1.95.0-1 can no longer be installed (apt offers none)",
    );
  });

  test("a version that is the beginning of the pinned one is another version", () => {
    const { missing, gone } = planInstall({ "lld-22": "1:22.1.8-1" }, parsePolicy(INSTALLED));
    assert.deepEqual([missing.length, gone.length], [0, 1]);
  });

  test("an archive that could not be read is distinguished from an archive without the package", () => {
    assert.deepEqual(
      unreadArchives("Hit:1 http://deb.debian.org/debian bookworm InRelease\nReading package lists...\n"),
      [],
    );
    assert.deepEqual(
      unreadArchives(
        "W: Failed to fetch http://deb.debian.org/debian-security/dists/bookworm-security/InRelease  Could not " +
          "resolve 'deb.debian.org'\n" +
          "W: Some index files failed to download. They have been ignored, or old ones used instead.\n",
      ),
      ["http://deb.debian.org/debian-security/dists/bookworm-security/InRelease"],
    );
  });

  test("only the distribution that has the packages", () => {
    const wanted = { id: "debian", codename: "bookworm" };
    assert.ok(isDistribution('NAME="Debian GNU/Linux"\nVERSION_CODENAME=bookworm\nID=debian\n', wanted));
    assert.ok(!isDistribution("VERSION_CODENAME=trixie\nID=debian\n", wanted));
    assert.ok(!isDistribution("ID_LIKE=debian\nVERSION_CODENAME=bookworm\nID=other\n", wanted));
    assert.ok(!isDistribution("", wanted));
  });
});

describe("committed files", () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** Makes a workspace of one crate, with a kernel that agrees with its lock. */
  function workspace(): string {
    const folder = mkdtempSync(join(tmpdir(), "svc-toolchain-"));
    folders.push(folder);
    for (const name of ["src/json", "tests", "target"])
      mkdirSync(join(folder, "crates/kernel", name), { recursive: true });
    writeFileSync(
      join(folder, "Cargo.toml"),
      [
        "[profile.release]",
        "opt-level = 3",
        'lto = "fat"',
        "",
        "# Not a setting.",
        "[profile.dev]",
        "opt-level = 1",
        "[profile.release.package.ryu-js]",
        'opt-level = "s"',
        "",
      ].join("\n"),
    );
    writeFileSync(join(folder, "Cargo.lock"), "version = 4\n");
    writeFileSync(join(folder, "crates/kernel/Cargo.toml"), "[package]\n");
    writeFileSync(join(folder, "crates/kernel/src/lib.rs"), "//! One.\n");
    writeFileSync(join(folder, "crates/kernel/src/json/mod.rs"), "//! Two.\n");
    writeFileSync(join(folder, "crates/kernel/tests/all.rs"), "");
    writeFileSync(join(folder, "crates/kernel/target/left-over"), "");
    writeKernel(Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), folder);
    return folder;
  }

  test("agree after they are written, and say what was built with what", () => {
    const folder = workspace();
    assert.deepEqual(committedFaults(folder), []);
    const lock = readLock(folder);
    assert.equal(lock.bytes, 8);
    assert.equal(lock.sha256, sha256(readFileSync(join(folder, KERNEL_FILE))));
    assert.equal(lock.toolchain.profile, 'opt-level = 3, lto = "fat", ryu-js: opt-level = "s"');
  });

  const changes: readonly (readonly [string, string, RegExp])[] = [
    ["the kernel", KERNEL_FILE, /^kernel\.wasm has 9 bytes and SHA-256 [0-9a-f]{64}; kernel\.lock\.json says 8 bytes/],
    ["the inlined kernel", INLINED_FILE, /^src\/generated\/kernel-base64\.ts does not hold the bytes of kernel\.wasm/],
    ["Cargo.lock", "Cargo.lock", /^Cargo\.lock is not the one/],
    ["a source", "crates/kernel/src/json/mod.rs", /^the Rust sources are not those/],
    ["a crate's manifest", "crates/kernel/Cargo.toml", /^the Rust sources are not those/],
    ["the release profile", "Cargo.toml", /^the Rust sources are not those/],
    ["a new source", "crates/kernel/src/more.rs", /^the Rust sources are not those/],
    ["a new build script", "crates/kernel/build.rs", /^the Rust sources are not those/],
  ];
  for (const [what, file, message] of changes) {
    test(`${what} changed: noticed without a compiler`, () => {
      const folder = workspace();
      appendFileSync(join(folder, file), "!");
      const faults = committedFaults(folder);
      assert.match(faults[0] ?? "", message);
      for (const fault of faults) assert.match(fault, /Run `pnpm kernel:build`|run `pnpm kernel:build`/);
    });
  }

  test("a kernel of the same length with one other bit is another kernel", () => {
    const folder = workspace();
    writeFileSync(join(folder, KERNEL_FILE), Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 1]));
    assert.equal(committedFaults(folder).length, 2);
  });

  test("a removed source, and two sources that swap contents, are noticed", () => {
    const removed = workspace();
    rmSync(join(removed, "crates/kernel/src/json/mod.rs"));
    assert.equal(committedFaults(removed).length, 1);
    const swapped = workspace();
    writeFileSync(join(swapped, "crates/kernel/src/lib.rs"), "//! Two.\n");
    writeFileSync(join(swapped, "crates/kernel/src/json/mod.rs"), "//! One.\n");
    assert.equal(committedFaults(swapped).length, 1);
  });

  test("another recorded toolchain is noticed", () => {
    const folder = workspace();
    const lock = readFileSync(join(folder, LOCK_FILE), "utf8");
    writeFileSync(join(folder, LOCK_FILE), lock.replace(`"${WASM_BINDGEN_VERSION}"`, '"0.2.1"'));
    assert.match(committedFaults(folder).join(), /records another toolchain/);
  });

  test("a missing file is a fault, not a stack", () => {
    const folder = workspace();
    rmSync(join(folder, KERNEL_FILE));
    assert.match(committedFaults(folder).join(), /cannot be read: .*kernel\.wasm/);
  });

  test("tests and build output are no sources; a copy of the sources has the same digest", () => {
    const folder = workspace();
    assert.deepEqual(listSources(folder), [
      "Cargo.lock",
      "Cargo.toml",
      "crates/kernel/Cargo.toml",
      "crates/kernel/src/json/mod.rs",
      "crates/kernel/src/lib.rs",
    ]);
    const copy = join(folder, "copy");
    mkdirSync(join(copy, "target"), { recursive: true });
    writeFileSync(join(copy, "stale.rs"), "");
    stageSources(folder, copy);
    assert.deepEqual(readdirSync(copy).sort(), ["Cargo.lock", "Cargo.toml", "crates", "target"]);
    assert.equal(hashSources(copy), hashSources(folder));
  });

  test("a link among the sources is refused by name", () => {
    const folder = workspace();
    symlinkSync("lib.rs", join(folder, "crates/kernel/src/link.rs"));
    assert.throws(() => listSources(folder), /crates\/kernel\/src\/link\.rs is neither a file nor a folder/);
  });
});

test("a rebuilt kernel that differs is reported with sizes, digests, place and what to do", () => {
  assert.equal(tellDifference(Buffer.from("same"), Buffer.from("same")), null);
  assert.match(
    tellDifference(Buffer.from("abcd"), Buffer.from("abXd!")) ?? "",
    /4 bytes, SHA-256 [0-9a-f]{64}, against 5 bytes, .* first different byte at 2\. Run `pnpm kernel:build`/,
  );
  assert.match(tellDifference(Buffer.from("ab"), Buffer.from("abc")) ?? "", /first different byte at 2/);
});

test("nothing that changes a compiler's output reaches it", () => {
  const before = { ...process.env };
  try {
    Object.assign(process.env, {
      RUSTFLAGS: "-Copt-level=0",
      RUSTC_WRAPPER: "/bin/false",
      CARGO_PROFILE_RELEASE_LTO: "off",
      CARGO_HOME: "/home/cargo",
      https_proxy: "http://proxy.example.org",
    });
    const environment = quietEnvironment();
    assert.deepEqual(
      Object.keys(environment).filter((name) => /^RUST|PROFILE/.test(name)),
      [],
    );
    assert.equal(environment.CARGO_HOME, "/home/cargo");
    assert.equal(environment.https_proxy, "http://proxy.example.org");
    assert.match(environment.PATH ?? "", /^\/usr\/bin:/);
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
});

test("the committed kernel, its inlined copy, its lock and its sources agree", () => {
  assert.deepEqual(committedFaults(), []);
});
