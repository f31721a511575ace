import httpSecurityHeaders from '@middy/http-security-headers';
import type { ApiMiddleware } from '#shared/http/types.ts';

/** What only means something to a browser that renders a page, and weighs a kilobyte. */
const LEFT_OUT = { contentSecurityPolicy: false, permissionsPolicy: false, reportTo: false };

/** The library's security headers, as far as a JSON answer has use for them. */
export const securityHeaders = () =>
  // The library leaves out what is false; its types do not know that.
  httpSecurityHeaders(LEFT_OUT as unknown as Parameters<typeof httpSecurityHeaders>[0]) as unknown as ApiMiddleware;
