import { parseJson } from '#shared/platform/json.ts';
import { isSigned, type SigningSecrets } from '#shared/providers/common/signature.ts';
import { extractMember } from './json-member.ts';

/** The header with Korapay's signature, in lower case (providers.md section 3.5). */
export const SIGNATURE_HEADER = 'x-korapay-signature';
/** A SHA-256 in hex. */
const SIGNATURE = /^[0-9a-f]{64}$/i;

/** A notification's `data` as it was written; undefined unless there is exactly one, an object. */
const readData = (raw: Uint8Array): string | undefined => {
  try {
    const written = extractMember(new TextDecoder('utf-8', { fatal: true }).decode(raw), 'data');
    return written?.startsWith('{') ? written : undefined;
  } catch {
    return undefined;
  }
};

/** In characters, many times the `data` of a real notification. Anything longer is not serialised again, since anybody may send it. */
const LONGEST_REWRITTEN = 16 * 1024;

const isJson = (raw: Uint8Array): boolean => parseJson(new TextDecoder().decode(raw)) !== undefined;

const compact = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
};

/** The `data` of an authentic notification, in one form whichever was signed. */
export const signedData = (raw: Uint8Array): string => compact(readData(raw) ?? '');

/**
 * Whether Korapay signed the `data` of this notification: HMAC-SHA256 in hex (providers.md section 3.5). Korapay documents a signature over
 * the compact form. The form as written is accepted too, because Korapay's JSON may write numbers or characters differently from ours.
 * A stranger's body is searched for its `data`, and not parsed unless the signature has the form of one.
 */
export const isFromKorapay = (signature: string | undefined, raw: Uint8Array, secrets: SigningSecrets): boolean => {
  if (signature === undefined || !SIGNATURE.test(signature)) return false;
  const written = readData(raw);
  if (written === undefined) return false;
  const isSignedForm = (form: string): boolean => isSigned('sha256', signature, Buffer.from(form), secrets);
  const isSignedCompact = () => written.length <= LONGEST_REWRITTEN && isSignedForm(compact(written));
  return (isSignedForm(written) || isSignedCompact()) && isJson(raw);
};
