import { makeSite, type Site } from '#infra/openapi/page/site.ts';

/* The build evaluates this module: the bundle only reads the result from a file (build-plugin.ts). */

let cached: Site | undefined;

/** Makes the pages below `/docs` and their search index, once. */
export const site = (): Site => {
  cached ??= makeSite();
  return cached;
};
