import { parseJson } from '#shared/platform/json.ts';
import { isSigned, type SigningSecrets } from '#shared/providers/common/signature.ts';
import { extractMember } from './json-member.ts';

/** The name of the header with Korapay's signature, in lower case (providers.md section 3.5). */
export const SIGNATURE_HEADER = 'x-korapay-signature';
/** Matches a SHA-256 in hex. */
const SIGNATURE = /^[0-9a-f]{64}$/i;

/** Extracts a notification's `data` as written; undefined unless there is exactly one and it is an object. */
const readData = (raw: Uint8Array): string | undefined => {
  try {
    const written = extractMember(new TextDecoder('utf-8', { fatal: true }).decode(raw), 'data');
    return written?.startsWith('{') ? written : undefined;
  } catch {
    return undefined;
  }
};

/** Maximum length, in characters, of `data` that is also checked in compact form. Real ones are much shorter, and anybody may send a longer one. */
const MAX_COMPACTED_LENGTH = 16 * 1024;

const isJson = (raw: Uint8Array): boolean => parseJson(new TextDecoder().decode(raw)) !== undefined;

const compact = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
};

/** Returns the `data` of an authentic notification in compact form, no matter which form was signed. */
export const signedData = (raw: Uint8Array): string => compact(readData(raw) ?? '');

/**
 * Whether Korapay signed the `data` of this notification with HMAC-SHA256 in hex (providers.md section 3.5). Korapay documents a signature
 * over the compact form. The form as written is accepted, too, because Korapay may write numbers or characters differently from us. The body
 * is not even searched if the header is no possible signature, and it is parsed as a whole only after the signature has matched.
 */
export const isFromKorapay = (signature: string | undefined, raw: Uint8Array, secrets: SigningSecrets): boolean => {
  if (signature === undefined || !SIGNATURE.test(signature)) return false;
  const written = readData(raw);
  if (written === undefined) return false;
  const isSignedForm = (form: string): boolean => isSigned('sha256', signature, Buffer.from(form), secrets);
  const isSignedCompact = () => written.length <= MAX_COMPACTED_LENGTH && isSignedForm(compact(written));
  return (isSignedForm(written) || isSignedCompact()) && isJson(raw);
};
