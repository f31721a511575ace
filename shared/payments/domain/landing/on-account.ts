import type { Ignored, LandingEvent, MoneyChange, Posted } from './landing.ts';

const posted = (entries: Posted['entries'], events: readonly LandingEvent[]): Posted => ({
  kind: 'posted',
  as: 'landed',
  entries,
  events,
  isPartial: false,
});

/**
 * Lands a change of money on a virtual account. The account itself does not change. Money that was returned before it counted is not announced. A
 * partial return is announced twice: as the reversal of the payment, and as a new payment of the remainder.
 */
export const landOnAccount = (change: MoneyChange): Ignored | Posted => {
  switch (change.kind) {
    case 'nothing':
      return { kind: 'ignored', as: 'landed' };
    case 'credited':
      return posted({ payment: change.payment }, [
        { type: 'virtual_account.payment_received', payment: change.payment },
      ]);
    case 'rejected':
      return posted({ payment: change.payment }, []);
    case 'withdrawn': {
      const { reversed, remainder, noteChange } = change;
      const [payment] = reversed;
      return posted({ reversed, noteChange, ...(remainder && { payment: remainder }) }, [
        ...(payment ? [{ type: 'virtual_account.payment_reversed', payment } as const] : []),
        ...(remainder ? [{ type: 'virtual_account.payment_received', payment: remainder } as const] : []),
      ]);
    }
  }
};
