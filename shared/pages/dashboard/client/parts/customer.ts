import type { Checkout } from '#shared/client/types.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { kobo, naira } from './naira.ts';

/* The message to a customer whose transfers did not pay a checkout, or paid too much. */

const MINUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Lagos' });

/** A message that a business may copy and send. */
export interface Message {
  readonly text: string;
  /** In naira: what another checkout has to collect. Absent where the account of this one still takes the money. */
  readonly another?: number;
  /** In naira: what was paid too much, about which the business decides. */
  readonly tooMuch?: number;
}

/** Whether an account takes a second transfer for what is missing: the sandbox's do, those of every provider in live mode do not. */
export const takesRest = (mode: Mode): boolean => mode === 'test';

/** The amount that a checkout still lacks, in naira. */
export const calculateMissing = ({
  amount_to_pay,
  paid_amount,
}: Pick<Checkout, 'amount_to_pay' | 'paid_amount'>): number =>
  Math.max(0, kobo(amount_to_pay) - kobo(paid_amount)) / 100;

const describeOrder = ({ merchant_reference: reference, description }: Checkout): string => {
  if (reference !== null) return `order ${reference}`;
  return description === null ? 'your order' : `“${description}”`;
};

/** The sentence on the money that did not pay the checkout; undefined where there was none. */
const describePayment = (checkout: Checkout): string | undefined => {
  const [newest] = checkout.payments;
  const order = describeOrder(checkout);
  const price = naira(checkout.amount_to_pay);
  if (newest?.outcome === 'rejected') {
    const why =
      kobo(newest.amount) === kobo(calculateMissing(checkout))
        ? ''
        : ` It was not ${naira(calculateMissing(checkout))}.`;
    return `Your transfer of ${naira(newest.amount)} for ${order} goes back to the account that it came from.${why}`;
  }
  if (newest?.outcome === 'reversed') {
    return `Your transfer of ${naira(newest.amount)} for ${order} went back to you, so it does not count.`;
  }
  if (checkout.paid_amount === 0) return undefined;
  return `We received ${naira(checkout.paid_amount)} of ${price} for ${order}. ${naira(calculateMissing(checkout))} is missing.`;
};

/** The message to the customer of a checkout now, also of one that paid too much; undefined where there is nothing to tell. */
export const messageTo = (checkout: Checkout, mode: Mode, now: number): Message | undefined => {
  const missing = calculateMissing(checkout);
  const more = kobo(checkout.paid_amount) - kobo(checkout.amount_to_pay);
  if (more > 0) {
    const tooMuch = more / 100;
    const price = naira(checkout.amount_to_pay);
    return {
      text: `We received ${naira(checkout.paid_amount)} of ${price} for ${describeOrder(checkout)}: ${naira(tooMuch)} too much. We will tell you what happens with it.`,
      tooMuch,
    };
  }
  const happened = missing === 0 ? undefined : describePayment(checkout);
  if (happened === undefined) return undefined;
  const account = `account ${checkout.account_number} at ${checkout.bank_name}`;
  const isOver =
    now >= Date.parse(checkout.expires_at) || checkout.status === 'expired' || checkout.status === 'failed';
  // Money that went back on arrival never counted, and the account still waits for the whole amount.
  const isFirst = checkout.paid_amount === 0 && checkout.payments.every(({ outcome }) => outcome === 'rejected');
  if (!isOver && (isFirst || takesRest(mode))) {
    const how = `in one transfer to ${account}, in the name of ${checkout.account_name}`;
    const until = MINUTE.format(new Date(checkout.expires_at));
    return { text: `${happened} Please send exactly ${naira(missing)} ${how}, by ${until} (Lagos time).` };
  }
  const why = isOver ? 'it has closed' : 'it takes one transfer only';
  const next = `We will send you another account for ${naira(missing)}.`;
  return { text: `${happened} Please send nothing more to ${account}: ${why}. ${next}`, another: missing };
};
