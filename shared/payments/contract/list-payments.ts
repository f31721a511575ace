import * as z from 'zod/mini';
import { contract } from '#shared/platform/contract/contract.ts';
import { pageQuery, successList } from '#shared/platform/contract/list.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { paymentFilters, paymentFiltersInOrder } from './payment-filters.ts';
import { recordedPaymentAnswer } from './recorded-payment-answer.ts';

/** With a filter, a list page may hold fewer payments than `limit`, even none, and still have a next page. */
export const listPaymentsContract = contract({
  method: 'GET',
  path: '/api/v1/payments',
  summary: 'List the payments on all checkouts and virtual accounts, newest first.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: z.extend(pageQuery, paymentFilters).check(...paymentFiltersInOrder),
  body: null,
  success: { status: 200, body: successList(recordedPaymentAnswer) },
  errors: ['validation_failed'],
});
