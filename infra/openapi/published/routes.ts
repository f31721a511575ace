import { listRoutes } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';

/* The build runs this module. The bundle has only the result, and not this code (build-plugin.ts). */

/** Lists every route of the API in the form of API Gateway, such as `GET /health`. */
export const routes = (): readonly string[] => FUNCTIONS.flatMap(({ trigger }) => listRoutes(trigger));
