/**
 * Checks answers against the interface's own promises: each must have a status that the OpenAPI document gives for its
 * route, and the schema for that status. So every test that sends a request tests the document too.
 */
import assert from "node:assert/strict";
import { formats } from "@svc/core";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** The document, as tests read it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read the document by the members that they expect
export type Document = any;

export class Contract {
  readonly document: Document;
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false });
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    this.document = document;
    for (const [name, validate] of Object.entries(formats)) this.#ajv.addFormat(name, { type: "string", validate });
    this.#ajv.addSchema(document, "document");
  }

  /** Throws AssertionError if an answer breaks a promise. `path`: the request's path, with its query. */
  hold(method: string, path: string, { status, body }: { readonly status: number; readonly body: unknown }): void {
    const template = this.#templateOf(path.replace(/\?.*/, ""));
    const operation = this.document.paths[template ?? ""]?.[method.toLowerCase()];
    if (operation === undefined) {
      const expected = template === undefined ? [404, "route_not_found"] : [405, "method_not_allowed"];
      assert.deepEqual([status, (body as Document).detail.code], expected, `${method} ${path}`);
      return;
    }
    const promised = Object.keys(operation.responses);
    assert.ok(promised.includes(`${status}`), `${method} ${template} answers ${status}, and ${promised} are promised`);
    const check = this.#checkOf(template ?? "", method, status);
    if (check === null) return;
    assert.ok(check(body), `${method} ${template}, ${status}: ${JSON.stringify(check.errors)}`);
  }

  #templateOf(path: string): string | undefined {
    const templates = Object.keys(this.document.paths);
    const isOf = (template: string) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`).test(path);
    return templates.find((template) => template === path) ?? templates.find(isOf);
  }

  #checkOf(template: string, method: string, status: number): ValidateFunction | null {
    const content = this.document.paths[template][method.toLowerCase()].responses[status].content;
    if (content["application/json"] === undefined) return null;
    const pointer = [
      "paths",
      template,
      method.toLowerCase(),
      "responses",
      `${status}`,
      "content",
      "application/json",
      "schema",
    ];
    const reference = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
    const known = this.#checks.get(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#checks.set(reference, known);
    return known;
  }
}
