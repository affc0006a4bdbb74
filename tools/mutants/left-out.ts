/**
 * What is not mutated: the members of wire objects, which stand in TypeBox calls, compiled into validators and compared with these by
 * `pnpm schemas`; and the words of messages, which may be any.
 */

/** As much of a syntax tree's node, and of its place, as is looked at. */
interface Place {
  readonly node: {
    readonly type: string;
    readonly id?: { readonly name?: string };
    readonly key?: { readonly name?: string };
    readonly callee?: {
      readonly name?: string;
      readonly object?: { readonly name?: string };
      readonly property?: { readonly name?: string };
    };
  };
  readonly parentPath: Place | null;
}

const BUILDERS = ["Closed", "OneOf", "Type"];
const TEXTS = ["StringLiteral", "TemplateLiteral"];
const SAID_BY = ["leaveOut", "cannotEvaluate"];

/** Tells the instrumenter what to leave alone. */
export const leftOut = {
  shouldIgnore(path: object): string | undefined {
    const place = path as Place;
    if (isSchema(place)) return "a schema";
    return TEXTS.includes(place.node.type) && isSaid(place) ? "words" : undefined;
  },
};

/** The variable `members` holds what two schemas share. */
function isSchema({ node: { type, id, callee } }: Place): boolean {
  if (type === "VariableDeclarator") return id?.name === "members";
  return type === "CallExpression" && BUILDERS.includes(callee?.name ?? callee?.object?.name ?? "");
}

/** Whether a text becomes a message, a note of a check, or the name of a thing in one. */
function isSaid({ parentPath }: Place): boolean {
  if (parentPath === null) return false;
  const { type, key, id, callee } = parentPath.node;
  switch (type) {
    case "ConditionalExpression":
    case "BinaryExpression":
    case "TemplateLiteral":
      return isSaid(parentPath);
    case "ObjectProperty":
      return key?.name === "message" || key?.name === "what";
    case "VariableDeclarator":
      return id?.name === "message";
    case "NewExpression":
      return callee?.name?.endsWith("Error") === true;
    case "CallExpression":
      return SAID_BY.includes(callee?.property?.name ?? "");
    default:
      return false;
  }
}
