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

interface FoundCheckout {
  readonly business: Business;
  readonly checkout: Checkout;
}

const findCheckout = async ({ ledger }: Stage, reference: string): Promise<FoundCheckout> => {
  const tenant = await ledger.findTenant({ kind: 'checkout', reference });
  if (!tenant) throw new OperatorError(`There is no checkout ${reference}. See: checkout find --help`);
  const checkout = await ledger.readCheckout(tenant, reference);
  if (checkout) return checkout;
  throw new OperatorError(
    `The provider is still opening the account of ${reference}. Run the command again in a minute.`,
  );
};

/** Says why a call to the provider failed; undefined for an error that is not the provider's. */
const explainFailure = (error: unknown, provider: ProviderName): string | undefined => {
  if (error instanceof ProviderBusy) {
    return `${provider} takes no more requests right now. Run the command again in ${error.retryAfterSeconds} seconds.`;
  }
  if (error instanceof ProviderError) return `${provider} rejected the look-up. ${error.message} Nothing was recorded.`;
  if (!isUnanswered(error)) return undefined;
  return `${provider} does not answer, or the stage has not enabled it. Nothing was recorded. See: provider list`;
};

/** Looks an account up at its provider, outside the business's provider quota. Returns why nothing could be recorded; undefined if all went well. */
const lookUp = async (stage: Stage, attempt: ShownAttempt): Promise<string | undefined> => {
  try {
    const answer = await askProvider(stage, attempt, 'lookUp');
    return answer === 'stale'
      ? `The answer of ${attempt.provider} may be older than the recorded state. Run the command again in a minute.`
      : undefined;
  } catch (error) {
    const reason = explainFailure(error, attempt.provider);
    if (reason === undefined) throw error;
    return reason;
  }
};

/** Looks up each account that was shown to the payer. @throws OperatorError with the reason of each look-up that failed. */
const lookUpAll = async (stage: Stage, checkout: Checkout): Promise<void> => {
  const outcomes = [];
  // The look-ups run one after the other, because all of them change the same checkout.
  for (const attempt of shownAttempts(checkout)) outcomes.push(await lookUp(stage, attempt));
  const reasons = outcomes.filter((reason) => reason !== undefined);
  if (reasons.length > 0) throw new OperatorError(reasons.join(' '));
};

const formatChange = (before: string, after: string): string => (before === after ? after : `${before} → ${after}`);

const requery = async (stage: Stage, text: string): Promise<Answer> => {
  const reference = toCheckoutReference(text.trim().toUpperCase());
  if (!checkoutReference.safeParse(reference).success) {
    throw new OperatorError(
      'That is not a checkout reference. A reference starts with PAY-, followed by 20 characters.',
    );
  }
  const { business, checkout: before } = await findCheckout(stage, reference);
  const providers = shownAttempts(before).map(({ provider }) => provider);
  const names = providers.join(' and ');
  if (before.mode === 'test') {
    throw new OperatorError(`${reference} is a test checkout. Test mode has no provider to ask.`);
  }
  await recordFirst(stage, business.id, `asked ${names} about ${reference}`);
  await lookUpAll(stage, before);
  const { checkout: after } = await findCheckout(stage, reference);
  const [old, now] = [checkoutView(before), checkoutView(after)];
  const changed = before.version !== after.version;
  return {
    json: { changed, checkout: now },
    text: paragraphs(
      changed ? `The answer of ${names} changed the checkout.` : `The answer of ${names} changed nothing.`,
      fields([
        ['checkout', now.reference],
        ['business', `${business.name} (${business.id})`],
        ['status', formatChange(old.status, now.status)],
        [
          'naira',
          `${formatChange(old.paid_amount.toFixed(2), now.paid_amount.toFixed(2))} of ${now.amount.toFixed(2)} paid`,
        ],
      ]),
    ),
  };
};

/** `checkout requery`. */
export const addCheckoutRequery = (group: Command, run: Run): void => {
  group
    .command('requery')
    .description('looks a live checkout up at its provider now; money that is found lands and is announced by webhook')
    .argument('<checkout>', 'the reference of the checkout')
    .addHelpText('after', examples(`checkout requery ${CHECKOUT}`))
    .action((reference: string, _options: unknown, command: Command) =>
      run(command, (stage) => requery(stage, reference)),
    );
};
