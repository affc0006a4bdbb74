/**
 * A handler may read only the names that its contract declares: another name does not compile, as `tsc` proves with
 * this file.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contract, text } from "@svc/api";
import { schemas } from "@svc/core";
import { bind } from "../../src/http/route.ts";

const STATED = { method: "GET", path: "/v2/{name}", chapter: "service", summary: "Any.", access: "public" } as const;
const answer = { status: 200, description: "Any.", schema: schemas.ReceiptRecord } as const;

test("a header, a query parameter or a part of the path that is not declared does not compile", () => {
  const declaring = contract({
    ...STATED,
    query: { known: text("any") },
    headers: { "If-Known": { description: "any" } },
    answer,
  });
  const made = bind(declaring, ({ path, query, headers }) => {
    const declared = [path.name, query.known, headers["If-Known"]];
    // @ts-expect-error: after a rename in the declaration, it would be null for ever.
    const header = headers["If-Renamed"];
    // @ts-expect-error
    const parameter = query.renamed;
    // @ts-expect-error
    const part = path.renamed;
    return { text: JSON.stringify([declared, header, parameter, part]) };
  });
  assert.equal(made.contract, declaring);
  assert.deepEqual(Object.keys(made.contract.headers), ["If-Known"]);
});

test("of a contract that declares no header and no query none can be read, and no body by its members", () => {
  const silent = contract({ ...STATED, answer });
  const made = bind(silent, ({ headers, query, body }) => {
    // @ts-expect-error
    const header = headers["If-Known"];
    // @ts-expect-error
    const parameter = query.known;
    // @ts-expect-error
    const member = body.known;
    return { text: JSON.stringify([header, parameter, member]) };
  });
  assert.deepEqual([made.contract.headers, made.contract.query, made.contract.body], [{}, {}, null]);
});

test("only the handler of a system's route has a principal", () => {
  const ofSystem = contract({ ...STATED, access: "system", answer });
  bind(ofSystem, ({ principal }) => ({ text: principal.tenantId }));
  const made = bind(contract({ ...STATED, answer }), ({ principal }) => {
    const none: null = principal;
    return { text: `${none}` };
  });
  assert.deepEqual(made.contract.access, ["public"]);
});

test("a route that also takes somebody unknown may have no principal", () => {
  const either = contract({ ...STATED, access: ["entry", "session"], answer });
  const made = bind(either, ({ principal }) => {
    // @ts-expect-error: it is null for somebody who is not signed in.
    const tenant: string = principal.tenantId;
    return { text: tenant };
  });
  assert.deepEqual(made.contract.access, ["entry", "session"]);
});
