/** The patterns and texts of spec/formats.json as Python's re and Go's regexp read them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { without } from "@svc/testkit/runtimes";

const FORMATS = fileURLToPath(new URL("../../../spec/formats.json", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "svc-spec-formats-"));
after(() => rmSync(folder, { recursive: true }));

/** Both programs print how many texts they compared, and each that they judge otherwise. */
const PYTHON = `
import json, re, sys
compared = 0
for name, form in json.load(open(sys.argv[1], encoding="utf-8"))["formats"].items():
    pattern, most = re.compile(form["pattern"]), form.get("max_characters", 2**31)
    has = lambda text: pattern.fullmatch(text) is not None and len(text) <= most
    wrong = [t for t in form["matches"] if not has(t)] + [t for t in form["fails"] if has(t) and "rule" not in form]
    compared += len(form["matches"]) + len(form["fails"])
    for text in wrong:
        print(name, ascii(text))
print(compared)
`;
const GO = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"unicode/utf8"
)

type form struct {
	Pattern       string
	MaxCharacters int \`json:"max_characters"\`
	Rule          *struct{}
	Matches       []string
	Fails         []string
}

func main() {
	bytes, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var spec struct{ Formats map[string]form }
	if err := json.Unmarshal(bytes, &spec); err != nil {
		panic(err)
	}
	compared := 0
	for name, form := range spec.Formats {
		pattern := regexp.MustCompile(\`\\A(?:\` + form.Pattern + \`)\\z\`)
		has := func(text string) bool {
			return pattern.MatchString(text) && (form.MaxCharacters == 0 || utf8.RuneCountInString(text) <= form.MaxCharacters)
		}
		for _, text := range form.Matches {
			if !has(text) {
				fmt.Printf("%s %q\\n", name, text)
			}
		}
		for _, text := range form.Fails {
			if has(text) && form.Rule == nil {
				fmt.Printf("%s %q\\n", name, text)
			}
		}
		compared += len(form.Matches) + len(form.Fails)
	}
	fmt.Println(compared)
}
`;

test("Python's re judges every text as it should", { skip: without("python3") }, () => {
  assert.ok(Number(outputOf("python3", ["-c", PYTHON, FORMATS])) > 900);
});

test("Go's regexp judges every text as it should", { skip: withoutGo() }, () => {
  const program = join(folder, "main.go");
  writeFileSync(program, GO);
  assert.ok(Number(outputOf("go", ["run", program, FORMATS])) > 900);
});

/** Returns why Go is not there; false if it is, and under CI, where the test fails without it. */
function withoutGo(): string | false {
  const isThere = spawnSync("go", ["version"]).error === undefined;
  return isThere || process.env.CI ? false : "go is not installed: NOT TESTED";
}

function outputOf(program: string, words: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    encoding: "utf8",
    env: {
      ...process.env,
      GOFLAGS: "",
      GOWORK: "off",
      GO111MODULE: "off",
      GOTOOLCHAIN: "local",
      PYTHONIOENCODING: "utf-8",
    },
  });
  assert.equal(error, undefined);
  assert.equal(status, 0, stderr);
  return stdout.trim();
}
