import * as z from 'zod';
import type { Account, Ledger } from '#shared/providers/common/simulator/ledger.ts';
import type { Call, Route } from '#shared/providers/common/simulator/wire.ts';
import { invalidData, korapayError, korapaySuccess } from './envelope.ts';
import { virtualAccountView } from './shapes.ts';

const BANKS: Readonly<Record<string, string>> = { '035': 'wema', '070': 'fidelity', '103': 'globus', '033': 'uba' };

const elevenDigits = z.string().regex(/^\d{11}$/);
const newAccount = z.object({
  account_name: z.string().min(1),
  account_reference: z.string().min(1),
  permanent: z.literal(true),
  bank_code: z.string().refine((code) => code in BANKS),
  customer: z.object({ name: z.string().min(1), email: z.email().optional() }),
  kyc: z.object({ bvn: elevenDigits, nin: elevenDigits.optional() }),
});

/** Simulates static accounts, which Korapay calls virtual bank accounts (providers.md section 3.2). They cannot be closed. */
export const korapayAccounts = (ledger: Ledger, now: () => number): { readonly routes: readonly Route[] } => {
  const accounts: { readonly account: Account; readonly view: unknown }[] = [];

  const createAccount = ({ body }: Call) => {
    const parsed = newAccount.safeParse(body);
    if (!parsed.success) return invalidData(parsed.error);
    const request = parsed.data;
    // The message of this error is not documented.
    if (accounts.some(({ account }) => account.reference === request.account_reference)) {
      return korapayError(409, 'This account_reference has been used before');
    }
    const account = ledger.open({
      provider: 'korapay',
      kind: 'static',
      reference: request.account_reference,
      name: request.account_name,
      bankName: BANKS[request.bank_code] ?? '',
      bankCode: request.bank_code,
      toPay: null,
      expiresAt: null,
    });
    const view = virtualAccountView(account, request.customer, now());
    accounts.push({ account, view });
    return korapaySuccess('Virtual bank account created successfully', view);
  };
  const fetchAccount = (_: Call, reference: string) => {
    const existing = accounts.find(({ account }) => account.reference === reference);
    return existing
      ? korapaySuccess('Virtual bank account retrieved successfully', existing.view)
      : korapayError(404, 'Virtual bank account not found');
  };

  return {
    routes: [
      ['POST', /^\/virtual-bank-account$/, createAccount],
      ['GET', /^\/virtual-bank-account\/([^/]+)$/, fetchAccount],
    ],
  };
};
