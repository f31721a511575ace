import type { ChainDeps } from '#shared/api/http/types.ts';
import { imageApi } from '#shared/api/image.ts';
import { logoDeps } from '#shared/businesses/compose-logo.ts';
import { type FindLogoDeps, findLogo } from '#shared/businesses/use-cases/find-logo.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';

/** Serves the logo of a business for its payment pages. */
export const serveLogoHandler = (deps: ChainDeps & FindLogoDeps) =>
  imageApi(deps, ({ pathParameters }) => findLogo(deps, pathParameters?.id ?? ''));

export const handler = serveLogoHandler(logoDeps(readEnv(tableEnv, process.env)));
