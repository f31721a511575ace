import type { Checkout } from '#shared/client/types.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { kobo, naira } from './naira.ts';

/* Writes the message to a customer whose transfers paid too little or too much. */

const DATE_AND_TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Africa/Lagos',
});

/** A message that a business can copy and send. */
export interface Message {
  readonly text: string;
  /** The naira that a new checkout has to collect. Absent if this checkout's account still takes the money. */
  readonly newCheckoutAmount?: number;
  /** Naira that were paid too much. The business decides what happens with them. */
  readonly tooMuch?: number;
}

/** Whether an account takes a second transfer for the missing money. Accounts of the sandbox do, accounts of live providers do not. */
export const acceptsRest = (mode: Mode): boolean => mode === 'test';

/** Calculates the amount that is still missing, in naira. */
export const calculateMissing = ({
  amount_to_pay,
  paid_amount,
}: Pick<Checkout, 'amount_to_pay' | 'paid_amount'>): number =>
  Math.max(0, kobo(amount_to_pay) - kobo(paid_amount)) / 100;

const describeOrder = ({ merchant_reference: reference, description }: Checkout): string => {
  if (reference !== null) return `order ${reference}`;
  return description === null ? 'your order' : `“${description}”`;
};

/** Writes the sentence about money that has not paid the checkout: it was sent back, taken back or is too little. Undefined if there was no money. */
const describePayment = (checkout: Checkout): string | undefined => {
  const [newest] = checkout.payments;
  const order = describeOrder(checkout);
  const price = naira(checkout.amount_to_pay);
  if (newest?.outcome === 'rejected') {
    const why =
      kobo(newest.amount) === kobo(calculateMissing(checkout))
        ? ''
        : ` The amount should have been ${naira(calculateMissing(checkout))}.`;
    return `Your transfer of ${naira(newest.amount)} for ${order} goes back to the account that it came from.${why}`;
  }
  if (newest?.outcome === 'reversed') {
    return `Your transfer of ${naira(newest.amount)} for ${order} went back to you, so it does not count.`;
  }
  if (checkout.paid_amount === 0) return undefined;
  return `We received ${naira(checkout.paid_amount)} of ${price} for ${order}. ${naira(calculateMissing(checkout))} is missing.`;
};

/** Writes the message to the checkout's customer at `now`; undefined if there is nothing to tell. */
export const writeMessage = (checkout: Checkout, mode: Mode, now: number): Message | undefined => {
  const missing = calculateMissing(checkout);
  const surplus = kobo(checkout.paid_amount) - kobo(checkout.amount_to_pay);
  if (surplus > 0) {
    const tooMuch = surplus / 100;
    const price = naira(checkout.amount_to_pay);
    return {
      text: `We received ${naira(checkout.paid_amount)} for ${describeOrder(checkout)}, which costs ${price}. That is ${naira(tooMuch)} too much. We will tell you what happens with it.`,
      tooMuch,
    };
  }
  const paymentSentence = missing === 0 ? undefined : describePayment(checkout);
  if (paymentSentence === undefined) return undefined;
  const account = `account ${checkout.account_number} at ${checkout.bank_name}`;
  const isOver =
    now >= Date.parse(checkout.expires_at) || checkout.status === 'expired' || checkout.status === 'failed';
  // Money that was sent back on arrival never counted: the account still waits for the whole amount.
  const isFirst = checkout.paid_amount === 0 && checkout.payments.every(({ outcome }) => outcome === 'rejected');
  if (!isOver && (isFirst || acceptsRest(mode))) {
    const how = `in one transfer to ${account}, in the name of ${checkout.account_name}`;
    const until = DATE_AND_TIME.format(new Date(checkout.expires_at));
    return { text: `${paymentSentence} Please send exactly ${naira(missing)} ${how}, by ${until} (Lagos time).` };
  }
  const why = isOver ? 'it has closed' : 'it takes one transfer only';
  const next = `We will send you another account for ${naira(missing)}.`;
  return {
    text: `${paymentSentence} Please send nothing more to ${account}: ${why}. ${next}`,
    newCheckoutAmount: missing,
  };
};
