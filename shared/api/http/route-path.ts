const PARAMETER = /^\{(.+)\}$/;
/** A parameter that stands for the rest of the path. */
const REST = /^\{(.+)\+\}$/;

/**
 * Matches a path with a route such as `/api/v1/checkouts/{reference}/expire`. Returns its parameters, or undefined if it does not match.
 * A parameter stands for one segment that is not empty, and `{proxy+}` at the end for all segments that follow.
 */
export const matchPath = (route: string, path: string): Record<string, string> | undefined => {
  const [segments, parts] = [route.split('/'), path.split('/')];
  const rest = REST.exec(segments.at(-1) ?? '')?.[1];
  if (rest !== undefined && parts.length >= segments.length) {
    const value = parts.splice(segments.length - 1).join('/');
    segments.pop();
    const parameters = value === '' ? undefined : matchPath(segments.join('/'), parts.join('/'));
    return parameters && { ...parameters, [rest]: value };
  }
  if (segments.length !== parts.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [i, segment] of segments.entries()) {
    const value = parts[i] ?? '';
    const name = PARAMETER.exec(segment)?.[1];
    if (name === undefined ? segment !== value : value === '') return undefined;
    if (name !== undefined) parameters.push([name, value]);
  }
  return Object.fromEntries(parameters);
};

/** Counts the parameters in a route's path: the route with the fewest is the best match. */
export const countParameters = (route: string): number =>
  route.split('/').filter((segment) => PARAMETER.test(segment)).length;

/** Lists the methods that routes such as `GET /health` have for a path; none if no route matches it. */
export const listMethods = (routes: readonly string[], path: string): readonly string[] =>
  [
    ...new Set(
      routes
        .map((route) => route.split(' '))
        .filter(([, routePath]) => routePath !== undefined && matchPath(routePath, path) !== undefined)
        .map(([method = '']) => method),
    ),
  ].sort();
