import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { nairaFromKobo, subtractDownToZero } from '#shared/platform/kernel/money.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { contentName, renderMain } from './main.ts';
import { formatTitle, type PageContext } from './page-context.ts';

/** Builds the state of a checkout for its open page. It contains no more than the page does. `html` is the new content of `main`. */
export const toStatusAnswer = (page: PageContext) => {
  const { checkout, view, now } = page;
  const { status, version, paidAmount } = checkout;
  const { amountToPay, expiresAt } = shownAttempt(checkout);
  return {
    status,
    view: view.kind,
    version,
    content: contentName(page),
    amount_due: nairaFromKobo(subtractDownToZero(amountToPay, paidAmount)),
    paid_amount: nairaFromKobo(paidAmount),
    expires_at: isoMicros(expiresAt),
    expires: expiresAt,
    now,
    title: formatTitle(page),
    html: renderMain(page).text,
  };
};
