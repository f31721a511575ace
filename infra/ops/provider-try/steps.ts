import { MINUTE } from '#shared/platform/kernel/time.ts';
import { isSuccess } from '#shared/providers/common/http.ts';
import type { StepName } from '#shared/providers/common/simulator/tried-provider.ts';
import type { PaymentReport } from '#shared/providers/domain/report.ts';
import { type Scene, sumKept } from './scene.ts';

/** A step of a try. */
export interface Step {
  readonly name: StepName;
  /** Description for people, in the table of the summary. */
  readonly does: string;
  /** Steps that must have been done before. */
  readonly needs: readonly StepName[];
  /** Runs the step. Resolves to a sentence if something was not as expected. @throws what the adapter throws. */
  readonly run: (scene: Scene) => Promise<string | undefined>;
}

/** The longest time that a list may lag behind a payment in the sandbox. */
const LIST_LAG = MINUTE / 2;

const lookUpUnused = async ({ adapter, newUnusedReference }: Scene): Promise<string | undefined> =>
  (await adapter.lookUp({ by: 'our_reference', value: newUnusedReference() })) === 'unknown'
    ? undefined
    : 'The provider says that it knows a reference that nobody has used.';

const openAccount = async (scene: Scene): Promise<undefined> => {
  scene.account = await scene.adapter.createAccount(scene.customer, scene.accountReference);
};

const checkSameAccount = (scene: Scene, number: string | undefined): string | undefined =>
  number === scene.account?.accountNumber ? undefined : 'The answer has another account than the one that was opened.';

const openCheckout = async (scene: Scene): Promise<string | undefined> => {
  scene.checkout = await scene.adapter.createPaymentAccount(scene.checkoutRequest);
  return scene.checkout.amountToPay === scene.checkoutRequest.amount
    ? undefined
    : 'The provider asks the payer for another amount than the amount of the checkout.';
};

const openCheckoutAgain = async (scene: Scene): Promise<string | undefined> => {
  const before = scene.exchanges.all.length;
  const why = await openCheckout(scene);
  return isSuccess(scene.exchanges.all[before]?.answer?.status ?? 0)
    ? 'The provider opened a second payment under the same reference.'
    : why;
};

const lookUpCheckout = ({ adapter, checkoutRequest, checkout }: Scene): Promise<PaymentReport | 'unknown'> =>
  adapter.lookUp({ by: 'our_reference', value: checkout?.providerReference ?? checkoutRequest.reference });

const lookUpUnpaid = async (scene: Scene): Promise<string | undefined> => {
  const report = await lookUpCheckout(scene);
  if (report === 'unknown') return 'The provider does not know the checkout that it opened just before.';
  return report.money.length === 0 ? undefined : 'The checkout has money before anybody paid.';
};

const creditAccount = async (scene: Scene): Promise<string | undefined> =>
  (await scene.credit(scene.account?.accountNumber ?? '')) ? undefined : 'The sandbox did not pay the account.';

/** Finds the payment into our account: looks up the payments in the list, which covers the time of the try, one after the other. */
const findCredit = async (scene: Scene): Promise<string | undefined> => {
  const { adapter, account, accountReference } = scene;
  const paymentReport = await scene.find(LIST_LAG, async () => {
    const transfers = (await scene.list()).filter(({ query }) => query.by === 'transaction');
    for (const { query } of transfers) {
      const report = await adapter.lookUp(query);
      const ours = (report === 'unknown' ? [] : report.money).find(({ payee }) =>
        payee.by === 'our_reference'
          ? payee.reference === accountReference
          : payee.accountNumber === account?.accountNumber,
      );
      if (ours) {
        scene.creditReference = query.value;
        return report;
      }
    }
    return undefined;
  });
  if (!paymentReport) return 'The list does not show the payment into the account.';
  return sumKept(paymentReport) === scene.checkoutRequest.amount
    ? undefined
    : 'The look-up shows another amount than was paid.';
};

const waitForPayment = async (scene: Scene): Promise<string | undefined> => {
  const { payWithin = 0, checkout, checkoutRequest } = scene;
  const { accountNumber = '', bankName = '' } = checkout?.account ?? {};
  scene.say(
    `Now pay ₦${checkoutRequest.amount / 100} to ${accountNumber} at ${bankName}, within ${payWithin / MINUTE} minutes.`,
  );
  const look = async (): Promise<PaymentReport | undefined> => {
    const report = await lookUpCheckout(scene);
    return report !== 'unknown' && report.money.length > 0 ? report : undefined;
  };
  // The exchanges of look-ups before the payment are dropped: they would differ from the fixture of a paid checkout.
  const paymentReport = await scene.find(payWithin, look, () => void scene.exchanges.take());
  if (!paymentReport) return 'No money arrived in time.';
  scene.paymentReference = paymentReport.money[0]?.providerReference ?? checkoutRequest.reference;
  if (sumKept(paymentReport) !== checkoutRequest.amount)
    return 'The look-up shows another amount than the amount of the checkout.';
  return paymentReport.state === 'complete' ? undefined : 'The look-up does not call the checkout complete.';
};

const findPaid = async (scene: Scene): Promise<string | undefined> => {
  const ours = scene.references('paid_listed');
  const payment = await scene.find(LIST_LAG, async () =>
    (await scene.list()).find(
      ({ query, origin }) => ours.includes(query.value) || (origin?.kind === 'part' && ours.includes(origin.reference)),
    ),
  );
  if (!payment) return 'The list does not show the payment.';
  return payment.isReturned ? 'The list says that the payment was returned.' : undefined;
};

/** The steps of a try in order, the same at every provider. */
export const STEPS: readonly Step[] = [
  {
    name: 'credentials',
    does: 'sends a request with the credentials',
    needs: [],
    run: async (scene) => void (await lookUpUnused(scene)),
  },
  {
    name: 'unknown_reference',
    does: 'looks up a reference that nobody has used',
    needs: ['credentials'],
    run: lookUpUnused,
  },
  { name: 'account', does: 'opens a virtual account', needs: ['credentials'], run: openAccount },
  {
    name: 'account_again',
    does: 'opens the virtual account again under the same reference',
    needs: ['account'],
    run: async (scene) =>
      checkSameAccount(
        scene,
        (await scene.adapter.createAccount(scene.customer, scene.accountReference)).accountNumber,
      ),
  },
  {
    name: 'account_found',
    does: 'finds the virtual account by its reference',
    needs: ['account'],
    run: async (scene) =>
      checkSameAccount(scene, (await scene.adapter.findAccount(scene.customer, scene.accountReference))?.accountNumber),
  },
  { name: 'checkout', does: 'opens the account of a checkout', needs: ['credentials'], run: openCheckout },
  {
    name: 'checkout_again',
    does: 'opens the checkout again under the same reference; the provider must reject that, and the adapter must handle it',
    needs: ['checkout'],
    run: openCheckoutAgain,
  },
  { name: 'unpaid', does: 'looks up the unpaid checkout', needs: ['checkout'], run: lookUpUnpaid },
  { name: 'list', does: 'lists the payments', needs: ['credentials'], run: async (scene) => void (await scene.list()) },
  { name: 'credit', does: 'pays the virtual account in the sandbox', needs: ['account'], run: creditAccount },
  {
    name: 'credit_listed',
    does: 'finds the payment into the virtual account in the list, and looks it up',
    needs: ['credit'],
    run: findCredit,
  },
  {
    name: 'paid',
    does: 'waits until somebody pays the checkout, and looks it up',
    needs: ['checkout'],
    run: waitForPayment,
  },
  { name: 'paid_listed', does: 'finds the payment of the checkout in the list', needs: ['paid'], run: findPaid },
  {
    name: 'account_closed',
    does: 'closes the virtual account',
    needs: ['account'],
    run: async ({ adapter, account, accountReference }) => {
      if (account) await adapter.closeAccount(account, accountReference);
      return undefined;
    },
  },
];
