import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import { korapayDescription } from './korapay/description.ts';
import { monnifyDescription } from './monnify/description.ts';
import { paystackDescription } from './paystack/description.ts';

/** The description of each provider. Functions that call no provider load this and not the registry. */
export const DESCRIPTIONS = {
  paystack: paystackDescription,
  monnify: monnifyDescription,
  korapay: korapayDescription,
} satisfies Record<ProviderName, { readonly acceptsRest: boolean; readonly listsByCreation?: boolean }>;

/** Whether a payer may send the rest of an underpaid checkout to its account. The sandbox takes every transfer. */
export const acceptsRest = (mode: Mode, provider: ProviderName): boolean =>
  mode === 'test' || DESCRIPTIONS[provider].acceptsRest;

/** Finds the limits of one payment's amount, as far as the provider publishes them. The sandbox has none. */
export const amountLimits = (mode: Mode, provider: ProviderName): AccountIssuer['amountLimits'] =>
  mode === 'test' ? undefined : DESCRIPTIONS[provider].amountLimits;

/** Whether a provider's list dates a payment by the time when its charge was opened, which may be hours before the payment. */
export const listsByCreation = (provider: ProviderName): boolean => DESCRIPTIONS[provider].listsByCreation ?? false;
