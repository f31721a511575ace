import * as z from 'zod';
import type { Account, Ledger } from '#shared/providers/common/simulator/ledger.ts';
import type { Answer, Call, Route } from '#shared/providers/common/simulator/wire.ts';
import type { MonnifyPreference } from './preferences.ts';
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

/** Lists the identity numbers of a reservation's customer: BVN, NIN or both. */
const listIdentities = ({ bvn, nin }: z.infer<typeof newReservation>): string[] =>
  [bvn, nin].filter((number) => number !== undefined);

const isOpen = ({ accounts }: MonnifyReservation): boolean => accounts.some((account) => account.open);

const listBanks = ({ getAllAvailableBanks, preferredBanks = [] }: z.infer<typeof newReservation>): readonly string[] =>
  getAllAvailableBanks ? ['035', '232'] : preferredBanks;

/** Finds the error that rejects a reservation; undefined if it is accepted. */
const findError = (
  request: z.infer<typeof newReservation>,
  reservations: readonly MonnifyReservation[],
  contractCode: string,
): Answer | undefined => {
  const [identity, banks] = [listIdentities(request), listBanks(request)];
  if (request.contractCode !== contractCode) return monnifyError(404, 'Invalid contract code');
  if (identity.length === 0) return monnifyError(400, 'BVN or NIN is required');
  if (banks.length === 0 || banks.some((code) => !(code in BANKS))) {
    return monnifyError(400, 'Virtual accounts from that bank code are not supported');
  }
  if (reservations.some((reservation) => reservation.reference === request.accountReference)) {
    return monnifyError(422, 'You cannot reserve two accounts with the same reference');
  }
  if (
    reservations.some(
      (reservation) => isOpen(reservation) && reservation.identity.some((number) => identity.includes(number)),
    )
  ) {
    return monnifyError(422, 'You cannot reserve more than 1 account(s) for a customer', 'R42');
  }
  return undefined;
};

/** Opens a reservation, with one account at each of its banks. */
const openReservation = (
  ledger: Ledger,
  request: z.infer<typeof newReservation>,
  createdAt: number,
): MonnifyReservation => ({
  reference: request.accountReference,
  accountName: request.accountName,
  customer: { name: request.customerName, email: request.customerEmail },
  identity: listIdentities(request),
  createdAt,
  accounts: listBanks(request).map((bankCode) =>
    ledger.open({
      provider: 'monnify',
      kind: 'static',
      reference: request.accountReference,
      name: request.accountName,
      bankName: BANKS[bankCode] ?? '',
      bankCode,
      toPay: null,
      expiresAt: null,
    }),
  ),
});

const NO_RESERVATION = monnifyError(404, 'Could not find reserved account with specified reference');

/** Simulates static accounts, which Monnify calls reserved (providers.md section 2.2). */
export const monnifyAccounts = (
  ledger: Ledger,
  contractCode: string,
  preference: () => MonnifyPreference,
  now: () => number,
) => {
  const reservations: MonnifyReservation[] = [];
  const findOpen = (reference: string) =>
    reservations.find((reservation) => reservation.reference === reference && isOpen(reservation));
  const showReservation = (reservation: MonnifyReservation): Answer =>
    monnifySuccess(reservationView(reservation, contractCode, preference().bankCodes));

  const reserve = ({ body }: Call): Answer => {
    const parsed = newReservation.safeParse(body);
    if (!parsed.success) return monnifyError(400, 'Invalid request');
    const error = findError(parsed.data, reservations, contractCode);
    if (error) return error;
    const reservation = openReservation(ledger, parsed.data, now());
    reservations.push(reservation);
    return showReservation(reservation);
  };
  const fetchReservation = (_: Call, reference: string): Answer => {
    const reservation = findOpen(reference);
    return reservation ? showReservation(reservation) : NO_RESERVATION;
  };
  const removeReservation = (_: Call, reference: string): Answer => {
    const reservation = findOpen(reference);
    if (!reservation) return NO_RESERVATION;
    for (const account of reservation.accounts) account.open = false;
    return showReservation(reservation);
  };

  const routes: readonly Route[] = [
    ['POST', /^\/api\/v2\/bank-transfer\/reserved-accounts$/, reserve],
    ['GET', /^\/api\/v2\/bank-transfer\/reserved-accounts\/([^/]+)$/, fetchReservation],
    ['DELETE', /^\/api\/v1\/bank-transfer\/reserved-accounts\/reference\/([^/]+)$/, removeReservation],
  ];
  return {
    routes,
    /** Finds the reservation that an account belongs to. */
    findByAccount: (account: Account): MonnifyReservation | undefined =>
      reservations.find(({ accounts }) => accounts.includes(account)),
  };
};
