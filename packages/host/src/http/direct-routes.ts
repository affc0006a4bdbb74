/**
 * The routes that are answered before the framework's chain: what a request costs there is more than the rest of an
 * append. They are served by the same steps as in the framework, to which every request goes whose target is written in
 * any other way than plainly.
 */
import type { ServedRoute } from "./serve-route.ts";

/** A direct route, and the values in the request's path. */
export interface Found {
  readonly route: ServedRoute;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Returns the function that finds the route of a request's method and target; it returns null for a request that the
 * framework has to read, such as one with a query or a percent sign.
 */
export function directRoutes(routes: readonly ServedRoute[]): (method: string, target: string) => Found | null {
  const direct = routes
    .filter(({ isDirect }) => isDirect)
    .map((route) => ({ route, method: route.contract.method, form: plainForm(route.contract.path) }));
  return (method, target) => {
    for (const { route, method: wanted, form } of direct) {
      const groups = method === wanted ? form.exec(target)?.groups : undefined;
      if (groups !== undefined) return { route, path: groups };
    }
    return null;
  };
}

/** Returns the expression of the targets that name such a path plainly. */
function plainForm(path: string): RegExp {
  // These characters mean themselves in every path (RFC 3986 section 2.3).
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[A-Za-z0-9_~-]+)")}$`);
}
