import { type Command, Option } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { type Answer, COMMAND, examples } from '#infra/ops/output.ts';
import { recordFirst } from '#infra/ops/record.ts';
import type { Run } from '#infra/ops/run.ts';
import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import { type Checkout, expireByHand } from '#shared/checkouts/domain/checkout.ts';
import {
  type SimulateCheckoutInput,
  simulateCheckoutPayment,
} from '#shared/checkouts/use-cases/simulate-checkout-payment.ts';
import { paymentView } from '#shared/payments/contract/payment-view.ts';
import { decideCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import { commit } from '#shared/platform/commit.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { type Kobo, kobo, nairaFromKobo, subtractDownToZero } from '#shared/platform/kernel/money.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { sandboxProvider } from '#shared/providers/sandbox/sandbox.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import { simulateSettlement } from '#shared/virtual-accounts/use-cases/simulate-settlement.ts';
import { simulateVirtualAccountPayment } from '#shared/virtual-accounts/use-cases/simulate-virtual-account-payment.ts';
import { CHECKOUT } from './example-ids.ts';

/** The amount of a simulated payment if the event does not depend on the amount: ₦100. */
const SMALL_AMOUNT: Kobo = kobo.parse(10_000);
const NO_SENDER = { senderName: null, senderBank: null };
const ACCOUNT = 'va_01KDVDNX1Q2C5F8J3M6P9S4V7Y';

const CHECKOUT_EVENTS = [
  'paid',
  'overpaid',
  'underpaid',
  'payment_rejected',
  'payment_reversed',
  'failed',
  'expired',
] as const;
const TRANSFERS = ['payment_received', 'payment_reversed'] as const;
const SETTLEMENTS = ['activated', 'failed'] as const;
const ACCOUNT_EVENTS = [...TRANSFERS, ...SETTLEMENTS] as const;
type CheckoutEvent = (typeof CHECKOUT_EVENTS)[number];
type AccountEvent = (typeof ACCOUNT_EVENTS)[number];
type Settlement = (typeof SETTLEMENTS)[number];
const EVENTS = [...new Set([...CHECKOUT_EVENTS, ...ACCOUNT_EVENTS])];

const includes = <T extends string>(names: readonly T[], name: string): name is T =>
  names.some((item) => item === name);

/** Finds the tenant of a test checkout or virtual account. @throws OperatorError if it does not exist or is of live mode. */
const findTestTenant = async (stage: Stage, id: string): Promise<Tenant> => {
  const isAccount = idSchema('va').safeParse(id).success;
  const owner = isAccount ? ({ kind: 'virtual_account', id } as const) : ({ kind: 'checkout', reference: id } as const);
  const tenant = await stage.ledger.findTenant(owner);
  if (!tenant) throw new OperatorError(`There is no checkout or virtual account ${id}.`);
  if (tenant.mode === 'live')
    throw new OperatorError(`${id} is of live mode. Only objects of test mode can be simulated.`);
  return tenant;
};

/** Computes half of the amount that is still due. @throws OperatorError if less than 2 kobo are due. */
const computeHalfOfDue = ({ reference, amount, paidAmount }: Checkout): Kobo => {
  const due = subtractDownToZero(amount, paidAmount);
  if (due < 2) throw new OperatorError(`${reference} is paid, so it cannot be underpaid. Create another checkout.`);
  return kobo.parse(Math.floor(due / 2));
};

const causeOnCheckout = async (
  stage: Stage,
  tenant: Tenant,
  reference: string,
  event: CheckoutEvent,
): Promise<Checkout> => {
  const simulate = (outcome: SimulateCheckoutInput['outcome'], amount?: Kobo) =>
    commit(stage, () =>
      simulateCheckoutPayment(stage, tenant, { reference, outcome, amount, late: false, ...NO_SENDER }),
    );
  const found = await stage.ledger.readCheckout(tenant, reference);
  if (!found) throw new OperatorError(`There is no checkout ${reference}.`);
  const { checkout } = found;
  switch (event) {
    case 'paid':
      return simulate('accepted');
    case 'overpaid':
      if (checkout.status !== 'paid')
        await simulate('accepted', subtractDownToZero(checkout.amount, checkout.paidAmount));
      return simulate('accepted', SMALL_AMOUNT);
    case 'underpaid':
      return simulate('accepted', computeHalfOfDue(checkout));
    case 'payment_rejected':
      return simulate('rejected', SMALL_AMOUNT);
    case 'payment_reversed':
      return simulate('reversed');
    case 'failed':
      return simulate('fail');
    default:
      return commit(stage, () => decideCheckout(stage, tenant, reference, expireByHand));
  }
};

const transferTo = async (stage: Stage, tenant: Tenant, id: string, event: AccountEvent) => {
  const transfer = event === 'payment_reversed' ? 'reversed' : { amount: SMALL_AMOUNT, ...NO_SENDER };
  const payment = paymentView(
    await commit(stage, () => simulateVirtualAccountPayment(stage, tenant, { id, transfer })),
  );
  return { json: { payment }, text: `${payment.amount.toFixed(2)} naira on ${id}: ${payment.outcome}.` };
};

const settle = async (stage: Stage, tenant: Tenant, id: string, event: Settlement) => {
  const sandbox = (provider: ProviderName) => sandboxProvider(provider, stage.randomBytes, stage.wait);
  const settled = await simulateSettlement({ ...stage, sandbox }, tenant, { id, isIssued: event === 'activated' });
  return { json: { virtual_account: virtualAccountView(settled) }, text: `${id} is ${settled.status}.` };
};

const causeOnAccount = (stage: Stage, tenant: Tenant, id: string, event: AccountEvent) =>
  includes(SETTLEMENTS, event) ? settle(stage, tenant, id, event) : transferTo(stage, tenant, id, event);

const unknownEvent = (id: string, names: readonly string[]): OperatorError =>
  new OperatorError(`${id} has no such event. Give one of: ${names.join(', ')}.`);

const simulate = async (stage: Stage, id: string, event: string): Promise<Answer> => {
  const tenant = await findTestTenant(stage, id);
  const isCheckout = !id.startsWith('va_');
  const { businessId } = tenant;
  const record = () => recordFirst(stage, businessId, `simulated ${event} of ${id}`);
  const nextStep = `See the events with: ${COMMAND} event list --business ${businessId} --mode test`;
  if (isCheckout) {
    if (!includes(CHECKOUT_EVENTS, event)) throw unknownEvent(id, CHECKOUT_EVENTS);
    await record();
    const checkout = await causeOnCheckout(stage, tenant, id, event);
    const naira = `${nairaFromKobo(checkout.paidAmount).toFixed(2)} of ${nairaFromKobo(checkout.amount).toFixed(2)}`;
    return {
      json: { event: `checkout.${event}`, checkout: checkoutView(checkout) },
      text: `${id} is ${checkout.status}, with ${naira} naira paid. ${nextStep}`,
    };
  }
  if (!includes(ACCOUNT_EVENTS, event)) throw unknownEvent(id, ACCOUNT_EVENTS);
  await record();
  const { json, text } = await causeOnAccount(stage, tenant, id, event);
  return { json: { event: `virtual_account.${event}`, ...json }, text: `${text} ${nextStep}` };
};

/** `simulate`. */
export const addSimulateCommand = (program: Command, run: Run): void => {
  program
    .command('simulate')
    .description('causes an event of a test checkout or test virtual account, through the same code as real money')
    .argument('<id>', 'the reference of a checkout (PAY-…) or the id of a virtual account (va_…)')
    .addOption(new Option('--event <event>', 'the event to cause').choices(EVENTS).makeOptionMandatory())
    .addHelpText(
      'after',
      examples(
        `simulate ${CHECKOUT} --event paid`,
        `simulate ${CHECKOUT} --event payment_reversed`,
        `simulate ${ACCOUNT} --event payment_received`,
      ),
    )
    .addHelpText(
      'after',
      '\nA checkout has every event except payment_received and activated. A virtual account has payment_received, payment_reversed,\nactivated and failed. The last two need a pending virtual account: create it for slow+<provider>@… or lost+<provider>@….',
    )
    .action((id: string, { event }: { event: string }, command: Command) =>
      run(command, (stage) => simulate(stage, id.trim(), event)),
    );
};
