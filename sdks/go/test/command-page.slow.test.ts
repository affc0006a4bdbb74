/** The calls of `svc` in docs/sdk-go.md run as they stand, one after the other, and print what is below them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { bundleOf, issueStream } from "@svc/testkit/evidence/service";
import { goSvc, put } from "./command.ts";
import { goTest } from "./toolchain.ts";

const PAGE = new URL("../../../docs/sdk-go.md", import.meta.url);
/** Output from here on is left out on the page. */
const MORE = "...\n";

put("march.bundle.json", await bundleOf(await issueStream(10)));
put("retold.bundle.json", await bundleOf(await issueStream(12, { forkedAt: 3 })));

goTest("each call of svc on the page prints what the page says", async () => {
  const blocks = [...readFileSync(PAGE, "utf8").matchAll(/^```console\n(.+?)^```$/gms)].map(([, text = ""]) => text);
  const calls = blocks.flatMap((text) => [...text.matchAll(/^\$ svc (.+)\n((?:(?!\$ ).*\n)*)/gm)]);
  assert.ok(calls.length >= 7, `${calls.length}`);
  for (const [, words = "", shown = ""] of calls) {
    const { stdout, stderr } = await goSvc(...words.split(" "));
    assert.equal(stderr, "", words);
    if (shown.endsWith(MORE))
      assert.equal(stdout.slice(0, shown.length - MORE.length), shown.slice(0, -MORE.length), words);
    else assert.equal(stdout, shown, words);
  }
});
