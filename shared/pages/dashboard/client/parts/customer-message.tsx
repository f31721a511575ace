import type { Checkout } from '#shared/client/types.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { writeMessage } from './customer.ts';
import { naira } from './naira.ts';
import { Copy } from './text.tsx';

interface CustomerMessageProps {
  readonly place: Place;
  readonly checkout: Checkout;
  readonly mayChange: boolean;
}

/** Shows a message to copy for a customer who paid too little or too much, and the next step for the business. */
export const CustomerMessage = ({ place, checkout, mayChange }: CustomerMessageProps) => {
  const message = writeMessage(checkout, place.mode, Date.now());
  if (!message) return null;
  const { payer_email, payer_name, description } = checkout;
  const newCheckoutFields = {
    new_amount: String(message.newCheckoutAmount ?? ''),
    new_payer_email: payer_email,
    new_payer_name: payer_name ?? '',
    new_description: description ?? '',
  };
  return (
    <section class="card strong">
      <h2>What to tell the customer</h2>
      <p>
        <Copy text={message.text} label="the message" isProse />
      </p>
      {message.tooMuch !== undefined && (
        <p>
          {naira(message.tooMuch)} is too much. You decide what happens with it. This service sends no money back: to
          return it, make a transfer from your own bank account.
        </p>
      )}
      {mayChange && message.newCheckoutAmount !== undefined && (
        <a href={formatUrl(place, 'checkouts', undefined, newCheckoutFields)}>
          Start a checkout of {naira(message.newCheckoutAmount)}
        </a>
      )}
    </section>
  );
};
