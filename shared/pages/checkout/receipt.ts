import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { ReceivedTransfer } from '#shared/checkouts/domain/payer-view.ts';
import { type Html, html } from '#shared/pages/html.ts';
import type { PageContext, ViewOf } from './page-context.ts';
import { lagosMoment, naira, shortName } from './words.ts';

/* Renders the receipt of a payment, for the screen, a screenshot and paper. Everybody with the link can read it, so it shortens people's names. */

const renderRow = (label: string, value: Html | string | null): Html | false =>
  value !== null && html`<div class="row"><dt>${label}</dt><dd>${value}</dd></div>`;

const describeSender = ({ senderName, senderBank }: ReceivedTransfer): string =>
  [shortName(senderName ?? ''), senderBank].filter(Boolean).join(', ');

/** Renders the senders. If there are several transfers, each has its amount and time too. */
const renderSenders = (transfers: readonly ReceivedTransfer[]): Html | null => {
  const lines =
    transfers.length > 1
      ? transfers.map((transfer) =>
          [naira(transfer.amount), describeSender(transfer), lagosMoment(transfer.paidAt)]
            .filter((part) => part !== '')
            .join(', '),
        )
      : transfers.map(describeSender).filter((line) => line !== '');
  return lines.length === 0 ? null : html`${lines.map((line) => html`<div>${line}</div>`)}`;
};

/** Renders the receipt. */
export const renderReceipt = ({ checkout, profile }: PageContext, view: ViewOf<'paid'>): Html => {
  const { payerName, description, merchantReference } = checkout;
  const { amountToPay } = shownAttempt(checkout);
  return html`<section class="receipt"><h2>Payment receipt</h2><dl class="account">
${renderRow('Paid to', profile.displayName)}
${renderRow('Amount', naira(view.received))}
${renderRow('Asked for', view.received === amountToPay ? null : naira(amountToPay))}
${renderRow('For', description)}
${renderRow('Order', merchantReference)}
${renderRow('Customer', shortName(payerName ?? '') || null)}
${renderRow('Sent from', renderSenders(view.transfers))}
${renderRow('When', lagosMoment(view.paidAt))}
${renderRow('Reference', html`<span class="ref">${checkout.reference}</span>`)}
</dl></section>`;
};
