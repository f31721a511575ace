import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ApiResult } from './types.ts';

/** Checks whether a list such as `gzip, br;q=0` accepts this encoding. */
export const accepts = (list: string | undefined, encoding: string): boolean =>
  (list ?? '').split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

/** Builds the body of a result in an encoding. API Gateway takes bytes as base64. */
export const encodedBody = (encoding: string, bytes: Buffer): Omit<ApiResult, 'statusCode'> => ({
  headers: { 'content-encoding': encoding },
  isBase64Encoded: true,
  body: bytes.toString('base64'),
});

/**
 * The quality of Brotli, from 0 to 11. With 4 it takes about a millisecond. A higher quality takes several times as long, and saves a few per
 * cent.
 */
const QUALITY = 4;

/** Compresses a text with Brotli or gzip if the client accepts one of them, because HTTP APIs do not compress. */
export const compressText = (text: string, acceptEncoding: string | undefined): Omit<ApiResult, 'statusCode'> => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  if (accepts(acceptEncoding, 'br')) return encodedBody('br', brotliCompressSync(text, { params }));
  return accepts(acceptEncoding, 'gzip') ? encodedBody('gzip', gzipSync(text)) : { headers: {}, body: text };
};
