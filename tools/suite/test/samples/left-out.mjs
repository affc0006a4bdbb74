import { test } from "node:test";

test("for a listed reason", { skip: "it is about files" }, () => {});
test("for another reason", { skip: "there is no disk" }, () => {});
test("without one", { skip: true }, () => {});
