import httpSecurityHeaders from '@middy/http-security-headers';
import type { ApiMiddleware } from '#shared/api/http/types.ts';

/** Headers for rendered pages only. They would take about a kilobyte. */
const LEFT_OUT = { contentSecurityPolicy: false, permissionsPolicy: false, reportTo: false };

/** Sets the library's security headers that matter for JSON. */
export const securityHeaders = (): ApiMiddleware => httpSecurityHeaders(LEFT_OUT);

/** Sets the headers for what other sites load: a script, or a page whose own policy says which sites may frame it. */
export const openToOtherSites = (): ApiMiddleware =>
  httpSecurityHeaders({ ...LEFT_OUT, frameOptions: false, crossOriginResourcePolicy: { policy: 'cross-origin' } });
