import { routesOf } from '#infra/function-spec.ts';
import type { Lambda } from '#infra/local/lambda/lambda.ts';

/** The function that a request goes to. */
export interface Match {
  readonly lambda: Lambda;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Route {
  readonly key: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly lambda: Lambda;
}

const DEFAULT = '$default';
const PARAMETER = /^\{(.+)\}$/;

const routesTo = (lambda: Lambda): Route[] =>
  routesOf(lambda.spec.trigger).map((key) => {
    const [method = '', path = ''] = key.split(' ');
    return { key, method, segments: path.split('/'), lambda };
  });

const parametersIn = ({ segments }: Route): number => segments.filter((segment) => PARAMETER.test(segment)).length;

/** The path parameters, or undefined when the path is another's. A parameter stands for one segment that is not empty. */
const matchPath = (route: Route, path: readonly string[]): Record<string, string> | undefined => {
  if (route.segments.length !== path.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [i, segment] of route.segments.entries()) {
    const given = path[i] ?? '';
    const name = PARAMETER.exec(segment)?.[1];
    if (name === undefined ? segment !== given : given === '') return undefined;
    if (name !== undefined) parameters.push([name, given]);
  }
  return Object.fromEntries(parameters);
};

/**
 * Finds the function of a request, by the manifest's routes alone: the fullest match first, `$default` when there is none.
 * @throws Error when the manifest has no `$default`.
 */
export const router = (lambdas: readonly Lambda[]): ((method: string, path: string) => Match) => {
  const routes = lambdas.flatMap(routesTo).sort((a, b) => parametersIn(a) - parametersIn(b));
  const fallback = routes.find(({ key }) => key === DEFAULT);
  if (!fallback) throw new Error('The manifest has no function for $default.');
  return (method, path) => {
    const segments = path.split('/');
    for (const route of routes) {
      const pathParameters = route.method === method ? matchPath(route, segments) : undefined;
      if (pathParameters) return { lambda: route.lambda, routeKey: route.key, pathParameters };
    }
    return { lambda: fallback.lambda, routeKey: DEFAULT, pathParameters: {} };
  };
};
