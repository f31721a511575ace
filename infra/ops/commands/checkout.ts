import type { Command } from 'commander';
import { optionalBusinessOption, optionalModeOption } from '#infra/ops/options.ts';
import { type Answer, examples, fields, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import { findPaymentTarget, type PaymentTarget } from '#shared/checkouts/use-cases/find-payment-target.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import { addCheckoutList } from './checkout-list.ts';
import { addCheckoutRequery } from './checkout-requery.ts';
import { BUSINESS, CHECKOUT } from './example-ids.ts';

interface FindOptions {
  readonly business?: string;
  readonly mode?: Mode;
}

const readTenant = ({ business: businessId, mode }: FindOptions, command: Command): Tenant | undefined => {
  if (businessId !== undefined && mode !== undefined) return { businessId, mode };
  if (businessId === undefined && mode === undefined) return undefined;
  return command.error('error: --business and --mode must be given together.');
};

const toView = (target: PaymentTarget) => {
  const { id, name } = target.business;
  const common = { found_by: target.by, business: { id, name } };
  return target.kind === 'checkout'
    ? { ...common, checkout: checkoutView(target.checkout) }
    : { ...common, virtual_account: virtualAccountView(target.virtualAccount) };
};

const formatCheckout = (target: Extract<PaymentTarget, { kind: 'checkout' }>): string => {
  const { payments, accounts, ...checkout } = checkoutView(target.checkout);
  const earlier = accounts.filter(({ current }) => !current);
  return fields([
    ['checkout', checkout.reference],
    ['business', `${target.business.name} (${target.business.id})`],
    ['mode', checkout.mode],
    ['status', checkout.status],
    ['naira', `${checkout.paid_amount.toFixed(2)} of ${checkout.amount.toFixed(2)} paid`],
    ['account', `${checkout.account_number} at ${checkout.bank_name}, through ${checkout.provider}`],
    ...earlier.map((account): [string, string] => [
      'earlier account',
      `${account.account_number} at ${account.bank_name}, through ${account.provider}`,
    ]),
    ['merchant reference', checkout.merchant_reference ?? '-'],
    ['payer', [checkout.payer_name, checkout.payer_email].filter((part) => part !== null).join(', ')],
    ['created', checkout.created_at],
    ['expires', checkout.expires_at],
    ...payments.map((payment): [string, string] => [
      'payment',
      `${payment.amount.toFixed(2)} ${payment.outcome} ${payment.paid_at} (${payment.id})`,
    ]),
  ]);
};

const formatAccount = (target: Extract<PaymentTarget, { kind: 'virtual_account' }>): string => {
  const account = virtualAccountView(target.virtualAccount);
  return fields([
    ['virtual account', account.id],
    ['business', `${target.business.name} (${target.business.id})`],
    ['mode', account.mode],
    ['status', account.status],
    ['account', `${account.account_number} at ${account.bank_name}, through ${account.provider}`],
    ['customer', account.customer_name],
    ['created', account.created_at],
  ]);
};

const toAnswer = (targets: readonly PaymentTarget[]): Answer => ({
  json: { found: targets.map(toView) },
  text: paragraphs(
    ...targets.map((target) => (target.kind === 'checkout' ? formatCheckout(target) : formatAccount(target))),
  ),
});

/** `checkout find | list | requery`. */
export const addCheckoutCommands = (program: Command, run: Run): void => {
  const samples = [
    `checkout find ${CHECKOUT}`,
    'checkout find 7712345678',
    `checkout find INV-2026-1120-0042 --business ${BUSINESS} --mode live`,
  ];
  const group = program.command('checkout').description('finds checkouts, and shows what became of their payments');
  group.addHelpText('after', examples(...samples, `checkout requery ${CHECKOUT}`));
  group
    .command('find')
    .description(
      'finds a checkout by its reference, account number or merchant reference; an account number also finds a virtual account',
    )
    .argument('<text>', 'a reference (PAY-…), an account number, or, with --business and --mode, a merchant reference')
    .addOption(optionalBusinessOption())
    .addOption(optionalModeOption())
    .addHelpText('after', examples(...samples))
    .action((text: string, options: FindOptions, command: Command) => {
      const tenant = readTenant(options, command);
      return run(command, async (stage) => toAnswer(await findPaymentTarget(stage, { text, within: tenant })));
    });
  addCheckoutList(group, run);
  addCheckoutRequery(group, run);
};
