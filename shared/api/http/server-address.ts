import type { ApiEvent } from './types.ts';

/** A host name or address, with or without a port. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;
/**
 * Addresses that API Gateway never has: an address with a port, `localhost`, an IP address. For such an address, a header may say that the client
 * used http. For every other address the URL begins with https, whatever a header says.
 */
const WITHOUT_TLS = /:\d+$|^localhost$|^[\d.]+$|^\[.*\]$/i;

/**
 * Reads the URL of the server that the client called, without a path. Returns an empty text if `domainName` is no host: a link that is made of this
 * text and a path is then only the path, and leads to the same server.
 *
 * It reads `domainName`, because a client can forge the headers X-Forwarded-Host and Host. API Gateway serves only its own names, and refuses a
 * request for any other name before it calls a function. In the local stack `domainName` is the Host header: a caller can forge it there, but only
 * this caller gets the answer.
 */
export const readServerUrl = ({
  headers,
  requestContext: { domainName },
}: Pick<ApiEvent, 'headers' | 'requestContext'>) => {
  if (!HOST.test(domainName)) return '';
  const isWithoutTls = headers['x-forwarded-proto'] === 'http' && WITHOUT_TLS.test(domainName);
  return `${isWithoutTls ? 'http' : 'https'}://${domainName}`;
};
