import type { Checkout } from '#shared/domain/checkout.ts';
import { invalid, Refusal } from '#shared/domain/errors.ts';
import type { SealedAnswer } from '#shared/domain/idempotency.ts';
import { newCheckoutReference } from '#shared/domain/ids.ts';
import { type Kobo, ZERO_KOBO } from '#shared/domain/money.ts';
import type { ProviderName } from '#shared/domain/provider.ts';
import type { Tenant } from '#shared/domain/tenant.ts';
import { SECOND } from '#shared/domain/time.ts';
import { type CheckoutOpener, type Nature, OutcomeUnknown, ProviderRefusal, type Providers } from '#shared/ports.ts';

export interface InitializeCheckoutDeps extends Pick<Nature, 'now' | 'randomBytes'> {
  readonly providers: Providers;
  readonly checkouts: CheckoutOpener;
  readonly defaultProvider: ProviderName;
}

export interface InitializeCheckoutInput {
  /** Kobo. */
  readonly amount: Kobo;
  readonly payerEmail: string;
  readonly payerName: string | null;
  readonly provider: ProviderName | null;
  /** Seconds. */
  readonly expiresIn: number;
  readonly merchantReference: string | null;
  readonly metadata: string | null;
}

const SHORTEST_LIVE_EXPIRY = 300;
const DRAWS = 5;

/** What the account of a checkout is called on the payer's screen when the merchant does not say who pays. */
const accountNameOf = (input: InitializeCheckoutInput): string => input.payerName ?? 'Checkout payment';

/**
 * Starts a checkout: an account for one payment, at the provider asked for or the stage's own choice.
 * @throws the refusals validation_failed, duplicate_merchant_reference, provider_error; AnsweredBefore for a used key.
 */
export const initializeCheckout = async (
  deps: InitializeCheckoutDeps,
  tenant: Tenant,
  input: InitializeCheckoutInput,
  answer: (checkout: Checkout) => SealedAnswer | undefined,
): Promise<Checkout> => {
  if (tenant.mode === 'live' && input.expiresIn < SHORTEST_LIVE_EXPIRY) {
    throw invalid({ field: 'expires_in', message: 'expires_in must be at least 300 seconds in live mode.' });
  }
  const provider = input.provider ?? deps.defaultProvider;
  const failed = new Refusal('provider_error', { message: `${provider} could not complete the request.` });
  const adapter = deps.providers(tenant.mode, provider);
  if (!adapter) throw failed;

  const createdAt = deps.now();
  for (let draw = 1; draw <= DRAWS; draw++) {
    const reference = newCheckoutReference(deps.randomBytes);
    const expiresAt = createdAt + input.expiresIn * SECOND;
    const wanted = {
      reference,
      amount: input.amount,
      accountName: accountNameOf(input),
      payerEmail: input.payerEmail,
      expiresAt,
    };
    const issued = await adapter.createPaymentAccount(wanted).catch((error: unknown) => {
      throw error instanceof ProviderRefusal || error instanceof OutcomeUnknown ? failed : error;
    });
    const checkout: Checkout = {
      reference,
      businessId: tenant.businessId,
      mode: tenant.mode,
      provider,
      amount: input.amount,
      paidAmount: ZERO_KOBO,
      payerEmail: input.payerEmail,
      payerName: input.payerName,
      merchantReference: input.merchantReference,
      metadata: input.metadata,
      createdAt,
      version: 1,
      payments: [],
      status: 'pending',
      ...issued,
    };
    if ((await deps.checkouts.open(checkout, answer(checkout))) === 'opened') return checkout;
  }
  throw new Error('Every account number that was drawn is taken.');
};
