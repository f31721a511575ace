import type { Business } from '#shared/domain/businesses/business.ts';
import { referenceOfAttempt } from '#shared/domain/checkouts/attempt-reference.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import { checkoutReference } from '#shared/domain/kernel/ids.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { isUnanswered, ProviderBusy, ProviderRefusal, StaleReport } from '#shared/domain/providers/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { BusinessStore } from '#shared/ports/businesses.ts';
import { askProvider, type LookUpDeps } from './look-up-checkout.ts';

export interface RequeryByOperatorDeps extends LookUpDeps {
  readonly businesses: Pick<BusinessStore, 'recordChange'>;
}

interface Known {
  readonly tenant: Tenant;
  readonly business: Business;
  readonly checkout: Checkout;
}

const read = async ({ ledger }: RequeryByOperatorDeps, reference: string): Promise<Known> => {
  const tenant = await ledger.tenantOf({ kind: 'checkout', reference });
  if (!tenant) throw new OperatorError(`There is no checkout ${reference}. See: checkout find --help`);
  const found = await ledger.readCheckout(tenant, reference);
  if (found) return { tenant, ...found };
  throw new OperatorError(`The account of ${reference} is still being opened at its provider. Ask again in a minute.`);
};

/** Why the provider gave no answer that can be recorded, for the operator; any other error unchanged. */
const asOperatorError = (error: unknown, provider: ProviderName): unknown => {
  if (error instanceof StaleReport) {
    return new OperatorError('The answer may be older than what is recorded already. Ask again in a minute.');
  }
  if (error instanceof ProviderBusy) {
    const { retryAfterSeconds } = error;
    return new OperatorError(
      `${provider} takes no more requests right now. Ask again in ${retryAfterSeconds} seconds.`,
    );
  }
  if (error instanceof ProviderRefusal) {
    return new OperatorError(`${provider} refuses to answer. ${error.message} Nothing was recorded.`);
  }
  if (isUnanswered(error)) {
    return new OperatorError(
      `${provider} does not answer, or is not enabled. Nothing was recorded. See: provider list`,
    );
  }
  return error;
};

/**
 * An operator has a live checkout's provider asked now, without the allowance of its business; money that it knows of lands as always.
 * Who asked is recorded first. Returns the checkout before and after.
 * @throws OperatorError for an unknown checkout, one of test mode, or when the provider gives no answer that can be recorded.
 */
export const requeryByOperator = async (
  deps: RequeryByOperatorDeps,
  input: { readonly reference: string; readonly who: string },
): Promise<{ readonly business: Business; readonly before: Checkout; readonly after: Checkout }> => {
  const reference = referenceOfAttempt(input.reference.trim().toUpperCase());
  if (!checkoutReference.safeParse(reference).success) {
    throw new OperatorError('That is not the reference of a checkout. It starts with PAY- and 20 characters follow.');
  }
  const { tenant, business, checkout: before } = await read(deps, reference);
  if (tenant.mode === 'test') {
    throw new OperatorError(`${reference} is of test mode, whose sandbox knows no more than the checkout shows.`);
  }
  const what = `had ${before.provider} asked about ${reference}`;
  await deps.businesses.recordChange({
    id: deps.newId('log'),
    businessId: business.id,
    at: deps.now(),
    who: input.who,
    what,
  });
  try {
    await askProvider(deps, before, 'lookUp');
  } catch (error) {
    throw asOperatorError(error, before.provider);
  }
  return { business, before, after: (await read(deps, reference)).checkout };
};
