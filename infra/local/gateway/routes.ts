import { type FunctionSpec, listRoutes, listSessionRoutes } from '#infra/function-spec.ts';
import { countParameters, matchPath } from '#shared/api/http/route-path.ts';

/** A function and its routes in the format of API Gateway. It is plain data, for a thread that does not load the manifest. */
export interface RoutedFunction {
  readonly name: string;
  readonly routes: readonly string[];
}

/** Lists the routes of a function of the manifest. */
export const routedFunction = ({ name, trigger }: FunctionSpec): RoutedFunction => ({
  name,
  routes: [...listRoutes(trigger), ...listSessionRoutes(trigger)],
});

/** The function and route of a request. */
export interface Match {
  readonly name: string;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

const DEFAULT = '$default';

/**
 * Makes the router. It finds the Lambda function and the route of a request. Routes with fewer parameters come first. A request that matches
 * no route gets `$default`.
 * @throws Error if no function has `$default`.
 */
export const makeRouter = (functions: readonly RoutedFunction[]): ((method: string, path: string) => Match) => {
  const routes = functions.flatMap(({ name, routes: keys }) =>
    keys.map((routeKey) => {
      const [method = '', path = ''] = routeKey.split(' ');
      return { name, routeKey, method, path };
    }),
  );
  const fixedRoutes = new Map(
    routes.filter(({ path }) => countParameters(path) === 0).map((route) => [route.routeKey, route]),
  );
  const parameterRoutes = routes
    .filter(({ path }) => countParameters(path) > 0)
    .sort((a, b) => countParameters(a.path) - countParameters(b.path));
  const fallback = fixedRoutes.get(DEFAULT);
  if (!fallback) throw new Error('The manifest has no function for $default.');
  return (method, path) => {
    const exactRoute = fixedRoutes.get(`${method} ${path}`);
    if (exactRoute) return { name: exactRoute.name, routeKey: exactRoute.routeKey, pathParameters: {} };
    for (const { name, routeKey, ...route } of parameterRoutes) {
      const pathParameters = route.method === method ? matchPath(route.path, path) : undefined;
      if (pathParameters) return { name, routeKey, pathParameters };
    }
    return { name: fallback.name, routeKey: DEFAULT, pathParameters: {} };
  };
};
