import { isSigned, type SigningSecrets } from '#shared/adapters/providers/common/signature.ts';
import { writtenMember } from './json-member.ts';

/** The header that Korapay signs in (providers.md section 3.5), in lower case. */
export const SIGNATURE_HEADER = 'x-korapay-signature';

/** The `data` of a notification as it was written and as it is compact; none when it is not there exactly once. */
const formsOfData = (raw: Uint8Array): readonly string[] => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
    JSON.parse(text);
    const written = writtenMember(text, 'data');
    return written?.startsWith('{') ? [written, JSON.stringify(JSON.parse(written))] : [];
  } catch {
    return [];
  }
};

/**
 * Whether Korapay signed the `data` of this notification, HMAC-SHA256 in hex (providers.md section 3.5). Its compact form is what
 * Korapay documents; the bytes as they came are what it signs where its JSON writes numbers or letters in another way.
 */
export const isFromKorapay = (signature: string | undefined, raw: Uint8Array, secrets: SigningSecrets): boolean =>
  formsOfData(raw)
    .map((form) => isSigned('sha256', signature, Buffer.from(form), secrets))
    .includes(true);
