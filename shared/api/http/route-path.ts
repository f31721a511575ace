const PARAMETER = /^\{(.+)\}$/;
/** A parameter that stands for all that follows. */
const REST = /^\{(.+)\+\}$/;

/**
 * The path parameters of a path that a route has; undefined when the path is another's. `route` is as API Gateway writes it:
 * `/api/v1/checkouts/{reference}/expire`. A parameter stands for one segment that is not empty,
 * and `{proxy+}` at the end for all that follow.
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

/** How many segments of a route's path are parameters: the route with the fewest is the fullest match. */
export const parametersIn = (route: string): number =>
  route.split('/').filter((segment) => PARAMETER.test(segment)).length;

/** The methods that a path takes, of routes such as `GET /health`; none for a path that no route has. */
export const listMethods = (routes: readonly string[], path: string): readonly string[] =>
  [
    ...new Set(
      routes
        .map((route) => route.split(' '))
        .filter(([, routePath]) => routePath !== undefined && matchPath(routePath, path) !== undefined)
        .map(([method = '']) => method),
    ),
  ].sort();
