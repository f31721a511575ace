import { NOT_PUBLIC } from './pinned-lookup.ts';

/** Error codes of node:tls and OpenSSL for a certificate that is not valid for the host. */
const CERTIFICATE_FLAWS: Partial<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in a self-signed certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT: 'its chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not known, or its chain is incomplete',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  CERT_UNTRUSTED: 'its issuer is not trusted',
  CERT_REJECTED: 'it is not meant for servers',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  INVALID_PURPOSE: 'it is not meant for servers',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
};

/** The system calls of Node's DNS queries: queryA, queryAaaa. */
const isDnsQuery = (syscall: string | undefined): boolean => syscall?.startsWith('query') === true;

const isTlsCode = (code: string): boolean => code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code);

/**
 * Returns why a request failed, as a sentence for the merchant. It uses the error's code only, because the message may contain addresses
 * and parts of the URL.
 */
export const failureSentence = ({ code = 'unknown error', syscall }: NodeJS.ErrnoException): string => {
  if (code === NOT_PUBLIC) return 'The request was not sent: the host leads to an address that is not public.';
  if (isDnsQuery(syscall)) {
    return `The host could not be found: its name servers gave no A or AAAA address (${code}).`;
  }
  if (code === 'HPE_HEADER_OVERFLOW') return `The headers of the answer are longer than 16 KiB (${code}).`;
  const flaw = CERTIFICATE_FLAWS[code];
  if (flaw) return `The certificate of the host was refused: ${flaw} (${code}).`;
  return isTlsCode(code) ? `A secure connection could not be made (${code}).` : `The request failed (${code}).`;
};
