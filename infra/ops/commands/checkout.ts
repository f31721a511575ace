import type { Command } from 'commander';
import { optionalBusinessOption, optionalModeOption } from '#infra/ops/options.ts';
import { type Answer, examples, fields, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import { type Found, findPaymentTarget } from '#shared/checkouts/use-cases/find-payment-target.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import { addCheckoutList } from './checkout-list.ts';
import { addCheckoutRequery } from './checkout-requery.ts';
import { BUSINESS, CHECKOUT } from './example-ids.ts';

interface Within {
  readonly business?: string;
  readonly mode?: Mode;
}

const tenantOf = ({ business: businessId, mode }: Within, command: Command): Tenant | undefined => {
  if (businessId !== undefined && mode !== undefined) return { businessId, mode };
  if (businessId === undefined && mode === undefined) return undefined;
  return command.error('error: --business and --mode go together.');
};

const view = (found: Found) => {
  const { id, name } = found.business;
  const whose = { found_by: found.by, business: { id, name } };
  return found.kind === 'checkout'
    ? { ...whose, checkout: checkoutView(found.checkout) }
    : { ...whose, virtual_account: virtualAccountView(found.virtualAccount) };
};

const checkoutText = (found: Extract<Found, { kind: 'checkout' }>): string => {
  const { payments, accounts, ...shown } = checkoutView(found.checkout);
  const earlier = accounts.filter(({ current }) => !current);
  return fields([
    ['checkout', shown.reference],
    ['business', `${found.business.name} (${found.business.id})`],
    ['mode', shown.mode],
    ['status', shown.status],
    ['naira', `${shown.paid_amount.toFixed(2)} of ${shown.amount.toFixed(2)} paid`],
    ['account', `${shown.account_number} at ${shown.bank_name}, through ${shown.provider}`],
    ...earlier.map((one): [string, string] => [
      'counts too',
      `${one.account_number} at ${one.bank_name}, through ${one.provider}`,
    ]),
    ['merchant reference', shown.merchant_reference ?? '-'],
    ['payer', [shown.payer_name, shown.payer_email].filter((part) => part !== null).join(', ')],
    ['created', shown.created_at],
    ['expires', shown.expires_at],
    ...payments.map((one): [string, string] => [
      'payment',
      `${one.amount.toFixed(2)} ${one.outcome} ${one.paid_at} (${one.id})`,
    ]),
  ]);
};

const accountText = (found: Extract<Found, { kind: 'virtual_account' }>): string => {
  const shown = virtualAccountView(found.virtualAccount);
  return fields([
    ['virtual account', shown.id],
    ['business', `${found.business.name} (${found.business.id})`],
    ['mode', shown.mode],
    ['status', shown.status],
    ['account', `${shown.account_number} at ${shown.bank_name}, through ${shown.provider}`],
    ['customer', shown.customer_name],
    ['created', shown.created_at],
  ]);
};

const answer = (found: readonly Found[]): Answer => ({
  json: { found: found.map(view) },
  text: paragraphs(...found.map((one) => (one.kind === 'checkout' ? checkoutText(one) : accountText(one)))),
});

/** `checkout find | list | requery`. */
export const addCheckoutCommands = (program: Command, run: Run): void => {
  const shown = [
    `checkout find ${CHECKOUT}`,
    'checkout find 7712345678',
    `checkout find INV-2026-1120-0042 --business ${BUSINESS} --mode live`,
  ];
  const group = program.command('checkout').description('what became of a payment');
  group.addHelpText('after', examples(...shown, `checkout requery ${CHECKOUT}`));
  group
    .command('find')
    .description('finds a checkout by reference, account number or merchant reference; a number also finds its account')
    .argument('<text>', 'a reference (PAY-…), an account number, or with --business and --mode a merchant reference')
    .addOption(optionalBusinessOption())
    .addOption(optionalModeOption())
    .addHelpText('after', examples(...shown))
    .action((text: string, within: Within, command: Command) => {
      const tenant = tenantOf(within, command);
      return run(command, async (stage) => answer(await findPaymentTarget(stage, { text, within: tenant })));
    });
  addCheckoutList(group, run);
  addCheckoutRequery(group, run);
};
