import { TRIED_KORAPAY } from './korapay/tried.ts';
import type { TwinProvider } from './ledger.ts';
import { TRIED_MONNIFY } from './monnify/tried.ts';
import { TRIED_PAYSTACK } from './paystack/tried.ts';
import type { TriedProvider } from './tried-provider.ts';

/** What is tried at each provider. */
export const TRIED: Readonly<Record<TwinProvider, TriedProvider>> = {
  paystack: TRIED_PAYSTACK,
  monnify: TRIED_MONNIFY,
  korapay: TRIED_KORAPAY,
};
