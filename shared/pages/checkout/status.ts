import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { nairaFromKobo, subtractDownToZero } from '#shared/platform/kernel/money.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { contentName, mainOf, type Shown } from './main.ts';

/** The state of a checkout for its own page: nothing in it is secret, and nothing is about the payer. `html` is the new content of `main`. */
export const statusOf = (shown: Shown) => {
  const { checkout, view, now } = shown;
  const { status, version, paidAmount } = checkout;
  const { amountToPay, expiresAt } = shownAttempt(checkout);
  return {
    status,
    view: view.kind,
    version,
    content: contentName(shown),
    amount_due: nairaFromKobo(subtractDownToZero(amountToPay, paidAmount)),
    paid_amount: nairaFromKobo(paidAmount),
    expires_at: isoMicros(expiresAt),
    expires: expiresAt,
    now,
    html: mainOf(shown).text,
  };
};
