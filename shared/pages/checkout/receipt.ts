import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { ReceivedTransfer } from '#shared/checkouts/domain/payer-view.ts';
import { type Html, html } from '#shared/pages/html.ts';
import type { PageContext, ViewOf } from './shown.ts';
import { lagosMoment, naira, shortName } from './words.ts';

/* The receipt of a payment, for the screen, a screenshot and paper. Whoever has the link reads it: people's names are short in it. */

const row = (label: string, value: Html | string | null): Html | false =>
  value !== null && html`<div class="row"><dt>${label}</dt><dd>${value}</dd></div>`;

const sender = ({ senderName, senderBank }: ReceivedTransfer): string =>
  [shortName(senderName ?? ''), senderBank].filter(Boolean).join(', ');

/** One transfer is told by its sender alone, of several each with its amount and time. */
const from = (transfers: readonly ReceivedTransfer[]): Html | null => {
  const lines =
    transfers.length > 1
      ? transfers.map((transfer) =>
          [naira(transfer.amount), sender(transfer), lagosMoment(transfer.paidAt)]
            .filter((part) => part !== '')
            .join(', '),
        )
      : transfers.map(sender).filter((line) => line !== '');
  return lines.length === 0 ? null : html`${lines.map((line) => html`<div>${line}</div>`)}`;
};

/** Who was paid how much, for what, by whom and when. */
export const receipt = ({ checkout, profile }: PageContext, view: ViewOf<'paid'>): Html => {
  const { payerName, description, merchantReference } = checkout;
  const { amountToPay } = shownAttempt(checkout);
  return html`<section class="receipt"><h2>Payment receipt</h2><dl class="account">
${row('Paid to', profile.displayName)}
${row('Amount', naira(view.received))}
${row('Asked for', view.received === amountToPay ? null : naira(amountToPay))}
${row('For', description)}
${row('Order', merchantReference)}
${row('Customer', shortName(payerName ?? '') || null)}
${row('Sent from', from(view.transfers))}
${row('When', lagosMoment(view.paidAt))}
${row('Reference', html`<span class="ref">${checkout.reference}</span>`)}
</dl></section>`;
};
