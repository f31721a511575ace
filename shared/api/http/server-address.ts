import type { ApiEvent } from './types.ts';

/** A host name or address, with or without a port. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;
/** Addresses that API Gateway never has: with a port, this machine, an IP address. All others have TLS, whatever a header says. */
const WITHOUT_TLS = /:\d+$|^localhost$|^[\d.]+$|^\[.*\]$/i;

/**
 * Reads the address that the client called, without a path. It is empty if that is no host, so a link that begins with it leads to the same host.
 *
 * It reads `domainName`, because a client can forge the headers X-Forwarded-Host and Host. API Gateway serves only its own names, and refuses
 * a request for any other before it calls a function. In the local stack `domainName` is the Host header, and only its own caller sees it.
 */
export const readServerUrl = ({
  headers,
  requestContext: { domainName },
}: Pick<ApiEvent, 'headers' | 'requestContext'>) => {
  if (!HOST.test(domainName)) return '';
  const isPlain = headers['x-forwarded-proto'] === 'http' && WITHOUT_TLS.test(domainName);
  return `${isPlain ? 'http' : 'https'}://${domainName}`;
};
