import * as z from 'zod/mini';
import { contract } from '#shared/platform/contract/contract.ts';
import { pageQuery } from '#shared/platform/contract/list.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { paymentFilters, paymentFiltersInOrder } from './payment-filters.ts';

/** Maximum number of rows that one call returns. A row has about 300 bytes, and a function may answer with 6 MB. */
export const MAX_EXPORT_ROWS = 5_000;

export const exportPaymentsContract = contract({
  method: 'GET',
  path: '/api/v1/payments/export',
  summary: 'Export the payments as a CSV file, newest first.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: z.object({ cursor: pageQuery.shape.cursor, ...paymentFilters }).check(...paymentFiltersInOrder),
  body: null,
  success: { status: 200, body: text, type: 'text/csv' },
  errors: ['validation_failed'],
});
