import { isSigned, type SigningSecrets } from '#shared/adapters/providers/common/signature.ts';
import { writtenMember } from './json-member.ts';

/** The header with Korapay's signature, in lower case (providers.md section 3.5). */
export const SIGNATURE_HEADER = 'x-korapay-signature';

/** The two forms of a notification's `data` that may be signed: as it was written, and compact. Empty unless there is exactly one `data`. */
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
 * Whether Korapay signed the `data` of this notification: HMAC-SHA256 in hex (providers.md section 3.5). Korapay documents a signature over
 * the compact form. The form as written is accepted too, because Korapay's JSON may write numbers or characters differently from ours.
 */
export const isFromKorapay = (signature: string | undefined, raw: Uint8Array, secrets: SigningSecrets): boolean =>
  formsOfData(raw)
    .map((form) => isSigned('sha256', signature, Buffer.from(form), secrets))
    .includes(true);
