import * as z from 'zod';
import { WEBHOOKS } from '#shared/webhooks/contract/webhooks.ts';
import type { EventType } from '#shared/webhooks/domain/event.ts';

/** What a webhook is about, at a glance; null where its body does not say. */
export interface Summary {
  readonly mode: 'live' | 'test' | null;
  /** The checkout, virtual account or endpoint. */
  readonly reference: string | null;
  /** In naira. */
  readonly amount: string | null;
  /** Why it was sent, as a sentence. */
  readonly why: string | null;
}

const money = z.number();
const optionalText = z.string().nullish();
const payment = z.object({ amount: money, outcome: z.string(), sender_name: optionalText });
/** The fields that a summary reads. Anyone may post to the inbox, so any of them may be missing. */
const webhook = z.object({
  type: z.string(),
  mode: z.enum(['live', 'test']).optional().catch(undefined),
  data: z
    .object({
      reference: optionalText,
      id: optionalText,
      amount: money.optional(),
      paid_amount: money.optional(),
      provider: optionalText,
      sender_name: optionalText,
      expires_at: optionalText,
      payments: z.array(payment).optional(),
      payment: payment.optional(),
      virtual_account: z.object({ id: z.string(), customer_name: optionalText }).optional(),
      disabled_reason: optionalText,
      message: optionalText,
    })
    .catch({}),
});
type Webhook = z.infer<typeof webhook>;
type Data = Webhook['data'];

const format = new Intl.NumberFormat('en-NG', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const naira = (amount = 0): string => `₦${format.format(amount)}`;

const by = (sender: string | null | undefined): string => (sender ? ` by ${sender}` : '');

/** The newest payment of a checkout with an outcome: the one that the event is about. */
const latest = ({ payments = [] }: Data, outcome: string) => payments.find((item) => item.outcome === outcome);

const returned = (data: Data, outcome: string, words: string): string => {
  const transfer = latest(data, outcome) ?? data.payment;
  return `${transfer ? naira(transfer.amount) : 'A payment'} ${words}`;
};

/** Sentences with what the body says. A type without one shows when its webhook is sent. */
const WHY: Readonly<Record<string, (data: Data) => string>> = {
  'checkout.paid': (data) => `Paid in full${by(data.sender_name)}.`,
  'checkout.overpaid': (data) => `${naira((data.paid_amount ?? 0) - (data.amount ?? 0))} more than asked arrived.`,
  'checkout.underpaid': (data) => `${naira((data.amount ?? 0) - (data.paid_amount ?? 0))} is still missing.`,
  'checkout.payment_rejected': (data) => returned(data, 'rejected', 'was sent back on arrival and never counted.'),
  'checkout.payment_reversed': (data) => returned(data, 'reversed', 'was sent back after it had counted.'),
  'checkout.failed': () => 'Its provider takes no money for it any more.',
  'checkout.expired': ({ expires_at: at }) => `Not paid${at ? ` by ${at.slice(0, 16).replace('T', ' ')} UTC` : ''}.`,
  'virtual_account.payment_received': (data) =>
    `A transfer arrived${data.payment?.sender_name ? ` from ${data.payment.sender_name}` : ''}.`,
  'virtual_account.payment_reversed': (data) => returned(data, 'reversed', 'was sent back after it had counted.'),
  'virtual_account.activated': () => 'Its provider has opened it.',
  'virtual_account.failed': () => 'Its provider did not open it.',
  'endpoint.disabled': ({ disabled_reason: reason }) => reason ?? 'The endpoint was switched off.',
  'endpoint.test': ({ message }) => message ?? 'A test.',
};

const formatAmount = ({ amount, paid_amount: paid, payment: landed }: Data): string | null => {
  if (landed) return naira(landed.amount);
  return amount === undefined ? null : `${naira(paid)} of ${naira(amount)}`;
};

const parsed = (body: string): Webhook | undefined => {
  try {
    return webhook.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
};

/** Sums up the body of a webhook. */
export const summariseWebhook = (body: string): Summary => {
  const { type = '', mode = null, data = {} } = parsed(body) ?? {};
  return {
    mode,
    reference: data.reference ?? data.virtual_account?.id ?? data.id ?? null,
    amount: formatAmount(data),
    why: WHY[type]?.(data) ?? WEBHOOKS[type as EventType]?.when ?? null,
  };
};
