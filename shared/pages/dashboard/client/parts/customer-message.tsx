import type { Checkout } from '#shared/client/types.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { messageTo } from './customer.ts';
import { naira } from './naira.ts';
import { Copy } from './text.tsx';

interface CustomerMessageProps {
  readonly place: Place;
  readonly checkout: Checkout;
  readonly mayChange: boolean;
}

/** A message to a customer whose transfers did not pay a checkout, or paid too much, to copy, with the next step where there is one. */
export const CustomerMessage = ({ place, checkout, mayChange }: CustomerMessageProps) => {
  const message = messageTo(checkout, place.mode, Date.now());
  if (!message) return null;
  const { payer_email, payer_name, description } = checkout;
  const rest = {
    new_amount: String(message.another ?? ''),
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
      {mayChange && message.another !== undefined && (
        <a href={formatUrl(place, 'checkouts', undefined, rest)}>Start a checkout of {naira(message.another)}</a>
      )}
    </section>
  );
};
