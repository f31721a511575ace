import * as z from 'zod';
import type { Account, Ledger } from '#infra/local/twin/ledger.ts';
import type { Call, Route } from '#infra/local/twin/wire.ts';
import { type MonnifyReservation, monnifyError, monnifySuccess, reservationView } from './shapes.ts';

const BANKS: Readonly<Record<string, string>> = { '035': 'Wema bank', '232': 'Sterling bank', '50515': 'Moniepoint' };

const elevenDigits = z.string().regex(/^\d{11}$/);
const newReservation = z.object({
  accountReference: z.string().min(1),
  accountName: z.string().min(1),
  currencyCode: z.literal('NGN'),
  contractCode: z.string(),
  customerEmail: z.email(),
  customerName: z.string().min(1),
  bvn: elevenDigits.optional(),
  nin: elevenDigits.optional(),
  getAllAvailableBanks: z.boolean(),
  preferredBanks: z.array(z.string()).optional(),
});

/** Static accounts, which Monnify calls reserved (providers.md section 2.2). */
export const monnifyAccounts = (ledger: Ledger, contractCode: string, now: () => number) => {
  const reservations: MonnifyReservation[] = [];

  const openReservation = (given: z.infer<typeof newReservation>, banks: readonly string[]) => {
    const reservation: MonnifyReservation = {
      reference: given.accountReference,
      accountName: given.accountName,
      customer: { name: given.customerName, email: given.customerEmail },
      identity: [given.bvn, given.nin].filter((one) => one !== undefined),
      createdAt: now(),
      accounts: banks.map((bankCode) =>
        ledger.open({
          provider: 'monnify',
          kind: 'static',
          reference: given.accountReference,
          name: given.accountName,
          bankName: BANKS[bankCode] ?? '',
          bankCode,
          toPay: null,
          expiresAt: null,
        }),
      ),
    };
    reservations.push(reservation);
    return monnifySuccess(reservationView(reservation, contractCode));
  };
  const isOpen = ({ accounts }: MonnifyReservation): boolean => accounts.some((account) => account.open);
  const openUnder = (reference: string) => reservations.find((one) => one.reference === reference && isOpen(one));
  const reserve = ({ body }: Call) => {
    const parsed = newReservation.safeParse(body);
    if (!parsed.success) return monnifyError(400, 'Invalid request');
    const given = parsed.data;
    const banks = given.getAllAvailableBanks ? ['035', '232'] : (given.preferredBanks ?? []);
    const identity = [given.bvn, given.nin].filter((one) => one !== undefined);
    if (given.contractCode !== contractCode) return monnifyError(404, 'Invalid contract code');
    if (identity.length === 0) return monnifyError(400, 'BVN or NIN is required');
    if (banks.length === 0 || banks.some((code) => !(code in BANKS))) {
      return monnifyError(400, 'Virtual accounts from that bank code are not supported');
    }
    if (reservations.some((one) => one.reference === given.accountReference)) {
      return monnifyError(422, 'You cannot reserve two accounts with the same reference');
    }
    if (reservations.some((one) => isOpen(one) && one.identity.some((number) => identity.includes(number)))) {
      return monnifyError(422, 'You cannot reserve more than 1 account(s) for a customer', 'R42');
    }
    return openReservation(given, banks);
  };
  const NO_RESERVATION = monnifyError(404, 'Could not find reserved account with specified reference');
  const fetchReservation = (_: Call, reference: string) => {
    const one = openUnder(reference);
    return one ? monnifySuccess(reservationView(one, contractCode)) : NO_RESERVATION;
  };
  const removeReservation = (_: Call, reference: string) => {
    const one = openUnder(reference);
    if (!one) return NO_RESERVATION;
    for (const account of one.accounts) account.open = false;
    return monnifySuccess(reservationView(one, contractCode));
  };

  const routes: readonly Route[] = [
    ['POST', /^\/api\/v2\/bank-transfer\/reserved-accounts$/, reserve],
    ['GET', /^\/api\/v2\/bank-transfer\/reserved-accounts\/([^/]+)$/, fetchReservation],
    ['DELETE', /^\/api\/v1\/bank-transfer\/reserved-accounts\/reference\/([^/]+)$/, removeReservation],
  ];
  return {
    routes,
    /** The reservation that an account belongs to. */
    reservationOf: (account: Account): MonnifyReservation | undefined =>
      reservations.find(({ accounts }) => accounts.includes(account)),
  };
};
