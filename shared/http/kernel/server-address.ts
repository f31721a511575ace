import type { ApiEvent } from './types.ts';

/** A host name or address, with or without a port. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

/**
 * The address that the client has called, without a path; empty where that is no host, so that what begins with it leads to the same host.
 * API Gateway serves its own names only, and refuses a request for any other before a function is called: `domainName` is the stage's
 * own domain or that of the API. In the local stack it is the Host header, which only the caller's own answer shows.
 */
export const serverOf = ({ headers, requestContext: { domainName } }: Pick<ApiEvent, 'headers' | 'requestContext'>) =>
  HOST.test(domainName) ? `${headers['x-forwarded-proto'] === 'http' ? 'http' : 'https'}://${domainName}` : '';
