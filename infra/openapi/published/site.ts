import { makeSite, type Site } from '#infra/openapi/page/site.ts';

/* The build runs this module, and writes the result into a file. The bundle has only the code that reads this file (build-plugin.ts). */

let cached: Site | undefined;

/** Makes the pages below `/docs` and their search index, once. */
export const site = (): Site => {
  cached ??= makeSite();
  return cached;
};
