import * as z from 'zod';
import { WEBHOOKS } from '#shared/webhooks/contract/webhooks.ts';
import type { EventType } from '#shared/webhooks/domain/event.ts';

/** The summary of a webhook. A field is null if the body does not have it. */
export interface Summary {
  readonly mode: 'live' | 'test' | null;
  /** The id of the checkout, virtual account or endpoint. */
  readonly reference: string | null;
  /** The amount in naira. */
  readonly amount: string | null;
  /** The reason of the webhook, as a sentence. */
  readonly why: string | null;
}

const money = z.number();
const optionalText = z.string().nullish();
const payment = z.object({ amount: money, outcome: z.string(), sender_name: optionalText });
/** The fields that a summary needs. Any may be missing, because anybody may post to the inbox. */
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
const formatNaira = (amount = 0): string => `₦${format.format(amount)}`;

const formatSender = (sender: string | null | undefined): string => (sender ? ` by ${sender}` : '');

/** Finds a checkout's newest payment with this outcome: the event is about it. A checkout's payments are sorted, the newest first. */
const findLatest = ({ payments = [] }: Data, outcome: string) => payments.find((item) => item.outcome === outcome);

const describeReturn = (data: Data, outcome: string, words: string): string => {
  const transfer = findLatest(data, outcome) ?? data.payment;
  return `${transfer ? formatNaira(transfer.amount) : 'A payment'} ${words}`;
};

/** Sentences about the data of events. For a type without a sentence, the summary says when such a webhook is sent. */
const WHY: Readonly<Record<string, (data: Data) => string>> = {
  'checkout.paid': (data) => `Paid in full${formatSender(data.sender_name)}.`,
  'checkout.overpaid': (data) => `${formatNaira((data.paid_amount ?? 0) - (data.amount ?? 0))} too much arrived.`,
  'checkout.underpaid': (data) => `${formatNaira((data.amount ?? 0) - (data.paid_amount ?? 0))} is still missing.`,
  'checkout.payment_rejected': (data) =>
    describeReturn(data, 'rejected', 'was sent back on arrival and never counted.'),
  'checkout.payment_reversed': (data) => describeReturn(data, 'reversed', 'was sent back after it had counted.'),
  'checkout.failed': () => 'The provider takes no more money for this checkout.',
  'checkout.expired': ({ expires_at: at }) => `Not paid${at ? ` by ${at.slice(0, 16).replace('T', ' ')} UTC` : ''}.`,
  'virtual_account.payment_received': (data) =>
    `A transfer arrived${data.payment?.sender_name ? ` from ${data.payment.sender_name}` : ''}.`,
  'virtual_account.payment_reversed': (data) => describeReturn(data, 'reversed', 'was sent back after it had counted.'),
  'virtual_account.activated': () => 'The provider has opened the account.',
  'virtual_account.failed': () => 'The provider did not open the account.',
  'endpoint.disabled': ({ disabled_reason: reason }) => reason ?? 'The endpoint was switched off.',
  'endpoint.test': ({ message }) => message ?? 'This is a test.',
};

const formatAmount = ({ amount, paid_amount: paid, payment: landed }: Data): string | null => {
  if (landed) return formatNaira(landed.amount);
  return amount === undefined ? null : `${formatNaira(paid)} of ${formatNaira(amount)}`;
};

const parseWebhook = (body: string): Webhook | undefined => {
  try {
    return webhook.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
};

/** Summarises the body of a webhook. */
export const summariseWebhook = (body: string): Summary => {
  const { type = '', mode = null, data = {} } = parseWebhook(body) ?? {};
  return {
    mode,
    reference: data.reference ?? data.virtual_account?.id ?? data.id ?? null,
    amount: formatAmount(data),
    why: WHY[type]?.(data) ?? WEBHOOKS[type as EventType]?.when ?? null,
  };
};
