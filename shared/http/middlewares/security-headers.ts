import httpSecurityHeaders from '@middy/http-security-headers';
import type { ApiMiddleware } from '#shared/http/kernel/types.ts';

/** What only means something to a browser that renders a page, and weighs a kilobyte. */
const LEFT_OUT = { contentSecurityPolicy: false, permissionsPolicy: false, reportTo: false };

/** The library's security headers, as far as a JSON answer has use for them. */
export const securityHeaders = (): ApiMiddleware => httpSecurityHeaders(LEFT_OUT);
