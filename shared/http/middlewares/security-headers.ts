import httpSecurityHeaders from '@middy/http-security-headers';
import type { ApiMiddleware } from '#shared/http/kernel/types.ts';

/** Headers for rendered pages only, about a kilobyte. */
const LEFT_OUT = { contentSecurityPolicy: false, permissionsPolicy: false, reportTo: false };

/** The library's security headers that matter for JSON. */
export const securityHeaders = (): ApiMiddleware => httpSecurityHeaders(LEFT_OUT);
