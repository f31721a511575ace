import * as z from 'zod/mini';
import { nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import type { Notice } from '#shared/ports/providers.ts';

/** What of Korapay's notifications is about incoming money (providers.md section 3.5). The event is not signed, so it only selects. */
const aboutMoney = z.object({
  event: z.enum(['charge.success', 'charge.failed']),
  data: z.object({
    reference: nonEmptyString,
    virtual_bank_account_details: z.optional(z.unknown()),
  }),
});

const jsonOf = (raw: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(raw));
  } catch {
    return undefined;
  }
};

/**
 * What a notification asks us to look up. Money for a virtual account comes under Korapay's reference, a payment under
 * ours. Its amounts are not read: the one for a payment is what was asked for, not what came (providers.md section 3.5).
 */
export const noticeOf = (raw: Uint8Array): Notice => {
  const { success, data: notification } = aboutMoney.safeParse(jsonOf(raw));
  if (!success) return { queries: [], rejected: [] };
  const { reference, virtual_bank_account_details: details } = notification.data;
  return { queries: [{ by: details ? 'transaction' : 'our_reference', value: reference }], rejected: [] };
};
