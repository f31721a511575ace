import type { ApiEvent } from './types.ts';

/** A host name or address, with or without a port. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;
/** What API Gateway never names: a port, this machine, an address. Behind anything else is TLS, whatever a header says. */
const WITHOUT_TLS = /:\d+$|^localhost$|^[\d.]+$|^\[.*\]$/i;

/**
 * The address that the client has called, without a path; empty where that is no host, so that what begins with it leads to the same host.
 *
 * It is `domainName`, and neither X-Forwarded-Host nor the Host header as a client may forge it: API Gateway serves its own names only, the
 * stage's domain or that of the API, and refuses a request for any other before a function is called. In the local stack `domainName` is
 * the Host header, which the answer to that very caller shows and nothing else.
 */
export const readServerUrl = ({
  headers,
  requestContext: { domainName },
}: Pick<ApiEvent, 'headers' | 'requestContext'>) => {
  if (!HOST.test(domainName)) return '';
  const isPlain = headers['x-forwarded-proto'] === 'http' && WITHOUT_TLS.test(domainName);
  return `${isPlain ? 'http' : 'https'}://${domainName}`;
};
