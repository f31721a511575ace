import * as z from 'zod/mini';
import { isPlainObject } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { email } from '#shared/platform/contract/email.ts';
import { metadata } from '#shared/platform/contract/metadata.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { optional, readableText } from '#shared/platform/contract/request-fields.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { requestedProvider } from '#shared/providers/contract/requested-provider.ts';
import { providerFailureCode } from '#shared/providers/domain/failure-code.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { bankAccount, identityNumber, phone } from './customer-fields.ts';
import { virtualAccountAnswer } from './virtual-account-answer.ts';

const MAX_BANKS = 10;

/** A provider's failure to open an account, for people and programs, with the id of the pending account if there is one. */
export const providerFailure = z.object({
  provider: providerName,
  message: z.string(),
  code: providerFailureCode,
  virtual_account_id: z.optional(idSchema('va')),
});

/** POST /virtual-accounts (service-description.md section 4.2). */
export const createVirtualAccountsContract = contract({
  method: 'POST',
  path: '/api/v1/virtual-accounts',
  summary: 'Create virtual accounts for a customer, at one provider or several at once.',
  keys: ['secret'],
  session: 'developer',
  recordedFields: ['banks'],
  testOnly: false,
  idempotent: true,
  params: nothing,
  query: nothing,
  body: z.pipe(
    z
      .object({
        customer_name: readableText(100),
        customer_phone: optional(phone),
        customer_email: optional(email),
        metadata: optional(metadata),
        bvn: optional(identityNumber),
        nin: optional(identityNumber),
        bank_account: optional(bankAccount),
        banks: z.nullish(
          z.array(requestedProvider, `must be a list of providers: ${providerName.options.join(', ')}.`).check(
            z.minLength(1, 'must name at least one provider.'),
            z.maxLength(MAX_BANKS, 'must name at most 10 providers.'),
            z.refine((banks) => new Set(banks).size === banks.length, 'must not name a provider twice.'),
          ),
        ),
        provider: z.nullish(requestedProvider),
      })
      .check(
        z.refine(({ banks, provider }) => ((banks ?? null) === null) !== ((provider ?? null) === null), {
          path: ['banks'],
          error: 'Send exactly one of banks and provider.',
          // Runs even if single fields are wrong, so that one answer reports all errors.
          when: ({ value }) => isPlainObject(value),
        }),
      ),
    z.transform(({ banks, provider, bank_account: bank, ...customer }) => ({
      ...customer,
      bankAccount: bank && { accountNumber: bank.account_number, bankCode: bank.bank_code },
      providers: [...(banks ?? []), ...(provider ? [provider] : [])],
    })),
  ),
  success: {
    status: 201,
    body: z.object({
      status: z.literal(true),
      message: z.string(),
      customer_name: z.string(),
      accounts: z.array(virtualAccountAnswer),
      errors: z.array(providerFailure),
    }),
  },
  errors: ['all_providers_failed'],
});
