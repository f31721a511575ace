import { PACKED_BODY, type REFUSALS } from '#shared/contract/kernel/errors.ts';

/** What an error's message leaves out, where callers have to know it. */
export const REFUSAL_NOTES: Partial<Record<keyof typeof REFUSALS, string>> = {
  checkout_not_payable:
    'An answer names the state, such as “Checkout is already paid.” or “Checkout is already failed.”, or says “Checkout has accepted money.”',
  unsupported_media_type: `A \`Content-Encoding\` other than \`identity\` is refused as well: “${PACKED_BODY}”`,
  idempotency_key_reused:
    'The body must be the same, byte for byte: another JSON library, or another order of the fields, writes another body. Keep key and body with the order, and send both again. When the order is tried anew, use a new key.',
};
