/**
 * The code that is not mutated: the members of wire objects, which are in calls of the schema builders and have their
 * own tests against another validator; the words that people read, which may be any (protocol section 16); the
 * failpoints at which processes are killed, which have their own trials (tools/chaos); and the codes that a route
 * lists, which the API's page checks (tools/api-page).
 */

/** The used parts of a syntax tree's node, and of its place. */
interface Place {
  readonly node: {
    readonly type: string;
    readonly id?: { readonly name?: string };
    readonly key?: { readonly name?: string };
    readonly value?: unknown;
    readonly expression?: { readonly callee?: { readonly name?: string } };
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
    readonly callee?: {
      readonly name?: string;
      readonly object?: { readonly name?: string };
      readonly property?: { readonly name?: string };
    };
  };
  readonly parentPath: Place | null;
}

const BUILDERS = ["Closed", "OneOf", "Type", "atoms"];
const TEXTS = ["StringLiteral", "TemplateLiteral"];
/** Members of a route that only its documentation shows. */
const DOCUMENTED = ["chapter", "summary", "description"];
const SAID_BY = ["notChecked", "cannotEvaluate"];
/** Two words in a row. No text of the protocol has them: its names are one word each. */
const SENTENCE = /\p{L}{2}[,;:]? \p{L}/u;

/** Tells the instrumenter what to leave alone. */
export const leftOut = {
  shouldIgnore(path: object): string | undefined {
    const place = path as Place;
    if (isSchema(place)) return "a schema";
    if (place.node.expression?.callee?.name === "failpoint") return "a failpoint";
    if (place.node.type === "ObjectProperty" && place.node.key?.name === "errors") return "documentation";
    return TEXTS.includes(place.node.type) && (isSentence(place) || isSaid(place)) ? "words" : undefined;
  },
};

/** The variable `members` holds what two schemas share. */
function isSchema({ node: { type, id, callee } }: Place): boolean {
  if (type === "VariableDeclarator") return id?.name === "members";
  return type === "CallExpression" && BUILDERS.includes(callee?.name ?? callee?.object?.name ?? "");
}

/** Says whether a text is made of words; the computed parts of a template do not count. */
function isSentence({ node: { value, quasis = [] } }: Place): boolean {
  return SENTENCE.test(typeof value === "string" ? value : quasis.map((part) => part.value.raw).join("0"));
}

/** Says whether a text becomes a message, a note of a check, or the name of a thing in one. */
function isSaid({ parentPath }: Place): boolean {
  if (parentPath === null) return false;
  const { type, key, id, callee } = parentPath.node;
  switch (type) {
    case "ConditionalExpression":
    case "BinaryExpression":
    case "TemplateLiteral":
      return isSaid(parentPath);
    case "ObjectProperty":
      return key?.name === "message" || key?.name === "what" || DOCUMENTED.includes(key?.name ?? "");
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
