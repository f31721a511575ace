import { routesOf, sessionRoutesOf } from '#infra/function-spec.ts';
import type { Lambda } from '#infra/local/lambda/lambda.ts';
import { matchPath, parametersIn } from '#shared/http/kernel/route-path.ts';

/** The function that a request goes to. */
export interface Match {
  readonly lambda: Lambda;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Route {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly lambda: Lambda;
}

const DEFAULT = '$default';

const routesTo = (lambda: Lambda): Route[] =>
  [...routesOf(lambda.spec.trigger), ...sessionRoutesOf(lambda.spec.trigger)].map((key) => {
    const [method = '', path = ''] = key.split(' ');
    return { key, method, path, lambda };
  });

/**
 * Finds the function of a request, by the manifest's routes alone: the fullest match first, `$default` when there is none.
 * @throws Error when the manifest has no `$default`.
 */
export const router = (lambdas: readonly Lambda[]): ((method: string, path: string) => Match) => {
  const routes = lambdas.flatMap(routesTo).sort((a, b) => parametersIn(a.path) - parametersIn(b.path));
  const fallback = routes.find(({ key }) => key === DEFAULT);
  if (!fallback) throw new Error('The manifest has no function for $default.');
  return (method, path) => {
    for (const route of routes) {
      const pathParameters = route.method === method ? matchPath(route.path, path) : undefined;
      if (pathParameters) return { lambda: route.lambda, routeKey: route.key, pathParameters };
    }
    return { lambda: fallback.lambda, routeKey: DEFAULT, pathParameters: {} };
  };
};
