import { makePage } from '#infra/openapi/page/page.ts';

/* Evaluated when the functions are built: the bundle holds the values, and nothing that makes them (build-plugin.ts). */

/** Quick, for the local stack: the build packs it as small as it gets. */
const LOCAL_QUALITY = 5;

let page: ReturnType<typeof makePage> | undefined;

/** The page that shows the API document, packed, with the policy that lets it run. */
export const docsPage = (): ReturnType<typeof makePage> => {
  page ??= makePage(LOCAL_QUALITY);
  return page;
};
