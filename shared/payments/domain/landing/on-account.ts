import type { Ignored, LandingEvent, MoneyChange, Posted } from './landing.ts';

const posted = (entries: Posted['entries'], events: readonly LandingEvent[]): Posted => ({
  kind: 'posted',
  as: 'landed',
  entries,
  events,
  isPartial: false,
});

/**
 * Lands a change of money on a virtual account, which itself does not change. Money that was returned before it counted is not announced.
 * A return of a part is announced as the reversal of the payment and as the payment that is left.
 */
export const landOnAccount = (change: MoneyChange): Ignored | Posted => {
  switch (change.kind) {
    case 'nothing':
      return { kind: 'ignored', as: 'landed' };
    case 'credited':
      return posted({ payment: change.payment }, [
        { type: 'virtual_account.payment_received', payment: change.payment },
      ]);
    case 'returned':
      return posted({ payment: change.payment }, []);
    case 'withdrawn': {
      const { reversed, rest, noted } = change;
      const [payment] = reversed;
      return posted({ reversed, noted, ...(rest && { payment: rest }) }, [
        ...(payment ? [{ type: 'virtual_account.payment_reversed', payment } as const] : []),
        ...(rest ? [{ type: 'virtual_account.payment_received', payment: rest } as const] : []),
      ]);
    }
  }
};
