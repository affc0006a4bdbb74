/** Which targets name a direct route plainly. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "@svc/api";
import Type from "typebox";
import { directRoutes } from "../../src/http/direct-routes.ts";

const served = (method: "GET" | "POST", path: string, isDirect: boolean) => ({
  contract: contract({
    method,
    path,
    chapter: "evidence",
    summary: "A route.",
    access: "public",
    answer: { status: 200, description: "Done.", schema: Type.Object({}) },
  }),
  isDirect,
  serve: async () => undefined,
});

test("a direct route is found by its plain target, and by nothing else", () => {
  const append = served("POST", "/s/{streamId}/events", true);
  const find = directRoutes([append, served("POST", "/s/{streamId}/others", false), served("GET", "/s/{id}/x", true)]);
  assert.deepEqual({ ...find("POST", "/s/str_0-Z~/events")?.path }, { streamId: "str_0-Z~" });
  assert.equal(find("POST", "/s/a/events")?.route, append);
  assert.equal(find("GET", "/s/a/x")?.route.contract.method, "GET");
  for (const [method, target] of [
    ["GET", "/s/a/events"],
    ["post", "/s/a/events"],
    ["POST", "/s/a/others"],
    ["POST", "/s/a/events?"],
    ["POST", "/s/a/events#"],
    ["POST", "/s/a/events/"],
    ["POST", "/s/a/events\n"],
    ["POST", "/s/%61/events"],
    ["POST", "/s/../events"],
    ["POST", "/s//events"],
    ["POST", "/s/a/b/events"],
    ["POST", "/S/a/events"],
    ["POST", "//s/a/events"],
    ["POST", "http://h/s/a/events"],
    ["POST", "*"],
    ["POST", ""],
  ] as const)
    assert.equal(find(method, target), null, target);
});
