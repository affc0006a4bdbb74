/**
 * What is not mutated: the members of wire objects, which stand in TypeBox calls. What they say is compiled into validators and compared with
 * these by `pnpm schemas`; at run time hardly anything reads them.
 */

/** As much of a syntax tree's node as is looked at. */
interface SchemaPath {
  readonly node: {
    readonly type: string;
    readonly id?: { readonly name?: string };
    readonly callee?: { readonly name?: string; readonly object?: { readonly name?: string } };
  };
}

const BUILDERS = ["Closed", "OneOf", "Type"];

/** Tells the instrumenter to leave schemas alone. The variable `members` holds what two schemas share. */
export const schemaLiterals = {
  shouldIgnore(path: object): string | undefined {
    const { type, id, callee } = (path as SchemaPath).node;
    const isSchema =
      (type === "CallExpression" && BUILDERS.includes(callee?.name ?? callee?.object?.name ?? "")) ||
      (type === "VariableDeclarator" && id?.name === "members");
    return isSchema ? "a schema" : undefined;
  },
};
