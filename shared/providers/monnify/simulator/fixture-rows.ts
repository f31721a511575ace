import type { Fixture } from '#shared/providers/common/simulator/fixture.ts';

const PENDING = {
  customerDTO: { email: 'chidi@example.com', name: 'Chidi Eze' },
  paymentMethod: 'ACCOUNT_TRANSFER',
  createdOn: '2026-11-20T12:08:11.000+00:00',
  amount: 5_000,
  currencyCode: 'NGN',
  paymentDescription: 'Ada Fabrics',
  paymentStatus: 'PENDING',
  transactionReference: 'MNFY|17|20261120130811|000340',
  paymentReference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N',
  merchantName: 'Simshop',
  completed: false,
  paymentMethodList: ['ACCOUNT_TRANSFER'],
  collectionChannel: 'API_NOTIFICATION',
};

/** A row with the further fields of Monnify's Java SDK. No source shows values of them. */
const PAID = {
  ...PENDING,
  paymentStatus: 'PAID',
  completed: true,
  completedOn: '2026-11-20T13:10:42.615',
  payableAmount: 5_000,
  fee: 75,
};

/** Rows of `GET /api/v1/transactions/search`. */
export const rows = {
  pending: { source: 'MN-1', mark: 'A', body: PENDING },
  paid: { source: 'MN-2', mark: 'NC', body: PAID },
  /** The list of a single account has `amountPaid`. It is not confirmed that this list has it, too. */
  paidWithAmount: { source: 'MN-1', mark: 'NC', body: { ...PAID, amountPaid: 5_000 } },
  paidToAccount: {
    source: 'MN-2',
    mark: 'NC',
    body: {
      ...PAID,
      paymentReference: 'MNFY|17|20261120130811|000340',
      collectionChannel: 'RESERVED_ACCOUNT',
    },
  },
  refunded: { source: 'MN-2', mark: 'NC', body: { ...PAID, paymentStatus: 'REFUNDED' } },
  partlyRefunded: { source: 'MN-2', mark: 'NC', body: { ...PAID, paymentStatus: 'PARTIALLY_REFUNDED' } },
} satisfies Record<string, Fixture>;
