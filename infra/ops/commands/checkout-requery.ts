import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { type Answer, examples, fields, paragraphs } from '#infra/ops/output.ts';
import { recordFirst } from '#infra/ops/record.ts';
import type { Run } from '#infra/ops/run.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import { type ShownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { askProvider } from '#shared/checkouts/use-cases/look-up-checkout.ts';
import { checkoutReference } from '#shared/platform/kernel/ids.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import { isUnanswered, ProviderBusy, ProviderError } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { CHECKOUT } from './example-ids.ts';

interface Known {
  readonly business: Business;
  readonly checkout: Checkout;
}

const find = async ({ ledger }: Stage, reference: string): Promise<Known> => {
  const tenant = await ledger.findTenant({ kind: 'checkout', reference });
  if (!tenant) throw new OperatorError(`There is no checkout ${reference}. See: checkout find --help`);
  const known = await ledger.readCheckout(tenant, reference);
  if (known) return known;
  throw new OperatorError(`The account of ${reference} is still being opened at its provider. Ask again in a minute.`);
};

/** Why the provider gave no answer that can be recorded; undefined for an error that is not the provider's. */
const explainFailure = (error: unknown, provider: ProviderName): string | undefined => {
  if (error instanceof ProviderBusy) {
    return `${provider} takes no more requests right now. Ask again in ${error.retryAfterSeconds} seconds.`;
  }
  if (error instanceof ProviderError) return `${provider} refuses to answer. ${error.message} Nothing was recorded.`;
  if (!isUnanswered(error)) return undefined;
  return `${provider} does not answer, or is not enabled. Nothing was recorded. See: provider list`;
};

/** Asks the provider of an account as a look-up of ours, so the business's quota is not used. Returns why nothing can be recorded. */
const ask = async (stage: Stage, attempt: ShownAttempt): Promise<string | undefined> => {
  try {
    const answer = await askProvider(stage, attempt, 'lookUp');
    return answer === 'stale'
      ? `The answer of ${attempt.provider} may be older than what is recorded already. Ask again in a minute.`
      : undefined;
  } catch (error) {
    const reason = explainFailure(error, attempt.provider);
    if (reason === undefined) throw error;
    return reason;
  }
};

/** Asks the provider of each account that was shown. @throws OperatorError with why one of them told nothing. */
const askAll = async (stage: Stage, checkout: Checkout): Promise<void> => {
  const outcomes = [];
  // One after the other: what they report is for the same checkout.
  for (const attempt of shownAttempts(checkout)) outcomes.push(await ask(stage, attempt));
  const reasons = outcomes.filter((reason) => reason !== undefined);
  if (reasons.length > 0) throw new OperatorError(reasons.join(' '));
};

const change = (before: string, after: string): string => (before === after ? after : `${before} → ${after}`);

const requery = async (stage: Stage, text: string): Promise<Answer> => {
  const reference = toCheckoutReference(text.trim().toUpperCase());
  if (!checkoutReference.safeParse(reference).success) {
    throw new OperatorError('That is not the reference of a checkout. It starts with PAY- and 20 characters follow.');
  }
  const { business, checkout: before } = await find(stage, reference);
  const providers = shownAttempts(before).map(({ provider }) => provider);
  const names = providers.join(' and ');
  if (before.mode === 'test') {
    throw new OperatorError(`${reference} is of test mode, whose sandbox knows no more than the checkout shows.`);
  }
  await recordFirst(stage, business.id, `had ${names} asked about ${reference}`);
  await askAll(stage, before);
  const { checkout: after } = await find(stage, reference);
  const [old, now] = [checkoutView(before), checkoutView(after)];
  const changed = before.version !== after.version;
  return {
    json: { changed, checkout: now },
    text: paragraphs(
      changed
        ? `${names} knew more than was recorded.`
        : `${names} ${providers.length > 1 ? 'know' : 'knows'} no more than was recorded.`,
      fields([
        ['checkout', now.reference],
        ['business', `${business.name} (${business.id})`],
        ['status', change(old.status, now.status)],
        ['naira', `${change(old.paid_amount.toFixed(2), now.paid_amount.toFixed(2))} of ${now.amount.toFixed(2)} paid`],
      ]),
    ),
  };
};

/** `checkout requery`. */
export const addCheckoutRequery = (group: Command, run: Run): void => {
  group
    .command('requery')
    .description('asks the provider of a live checkout now; money that it knows of lands, with its webhook')
    .argument('<checkout>', 'its reference')
    .addHelpText('after', examples(`checkout requery ${CHECKOUT}`))
    .action((reference: string, _options: unknown, command: Command) =>
      run(command, (stage) => requery(stage, reference)),
    );
};
