import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ApiResult } from './types.ts';

/** Whether a list such as `gzip, br;q=0` names this encoding and does not rule it out. */
export const accepts = (list: string | undefined, encoding: string): boolean =>
  (list ?? '').split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

/** A body in an encoding, as API Gateway takes bytes. */
export const encodedBody = (encoding: string, bytes: Buffer): Omit<ApiResult, 'statusCode'> => ({
  headers: { 'content-encoding': encoding },
  isBase64Encoded: true,
  body: bytes.toString('base64'),
});

/** Packs well in a millisecond; a higher quality takes several times as long for a few per cent. */
const QUALITY = 4;

/** A text that is packed for each request, as far as the client takes it: HTTP APIs do not compress. */
export const compressText = (text: string, accepted: string | undefined): Omit<ApiResult, 'statusCode'> => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  if (accepts(accepted, 'br')) return encodedBody('br', brotliCompressSync(text, { params }));
  return accepts(accepted, 'gzip') ? encodedBody('gzip', gzipSync(text)) : { headers: {}, body: text };
};
