import { assume } from './assumptions.ts';
import { type Limit, listLimits, type Scale } from './limits.ts';
import { sumFigure } from './load.ts';

/** A limit with the payments per second that reach it. `allPaid`: if all checkouts are paid. `payments`: with unpaid checkouts too. */
export interface PaymentLimit extends Limit {
  readonly allPaid: number;
  readonly payments: number;
}

/** Lists the limits of the money path, the lowest first. */
export const sortLimits = (scale: Scale): readonly PaymentLimit[] =>
  listLimits(scale)
    .map((limit) => ({
      ...limit,
      allPaid: limit.capacity / sumFigure(limit.use, 0),
      payments: limit.capacity / sumFigure(limit.use, assume('unpaid')),
    }))
    .toSorted((a, b) => a.payments - b.payments);
