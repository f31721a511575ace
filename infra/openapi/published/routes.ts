import { listRoutes } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';

/* Evaluated when the functions are built: the bundle holds the values, and nothing that makes them (build-plugin.ts). */

/** Every route of the API, as API Gateway writes them: `GET /health`. */
export const routes = (): readonly string[] => FUNCTIONS.flatMap(({ trigger }) => listRoutes(trigger));
