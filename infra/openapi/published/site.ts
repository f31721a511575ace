import { makeSite, type Site } from '#infra/openapi/page/site.ts';

/* Evaluated when the functions are built: the bundle reads the value from a file, and holds nothing that makes it (build-plugin.ts). */

let cached: Site | undefined;

/** The pages below `/docs`, and what their search finds. */
export const site = (): Site => {
  cached ??= makeSite();
  return cached;
};
