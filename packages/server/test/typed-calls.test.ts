/** What a route's handler may read of a call is what the route declares: another name does not compile, as `tsc` says of this file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { schemas } from "@svc/core";
import { text } from "../src/http/parameters.ts";
import { route } from "../src/http/route.ts";

const STATED = { method: "GET", path: "/v2/{name}", chapter: "service", summary: "Any.", access: "public" } as const;
const answer = { status: 200, description: "Any.", schema: schemas.ReceiptRecord } as const;

test("a header, a query parameter or a part of the path that is not declared does not compile", () => {
  const made = route({
    ...STATED,
    query: { known: text("any") },
    headers: { "If-Known": { description: "any" } },
    answer,
    handle: ({ path, query, headers }) => {
      const declared = [path.name, query.known, headers["If-Known"]];
      // @ts-expect-error: renamed in the declaration, it would be null for ever.
      const header = headers["If-Renamed"];
      // @ts-expect-error
      const parameter = query.renamed;
      // @ts-expect-error
      const part = path.renamed;
      return { text: JSON.stringify([declared, header, parameter, part]) };
    },
  });
  assert.deepEqual(Object.keys(made.headers), ["If-Known"]);
});

test("of a route that declares no header none can be read", () => {
  const made = route({
    ...STATED,
    answer,
    // @ts-expect-error
    handle: ({ headers }) => ({ text: `${headers["If-Known"]}` }),
  });
  assert.deepEqual(made.headers, {});
});
