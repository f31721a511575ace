import * as z from 'zod/mini';
import { instant, success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { boolean, count } from '#shared/platform/kernel/schemas.ts';
import { healthState } from '#shared/providers/domain/health/health.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

export const providerStanding = z.object({
  provider: providerName,
  enabled: boolean,
  state: healthState,
  landing_seconds: z.nullable(z.object({ p50: count, p95: count })),
  since: z.nullable(instant),
});

/** The contract of GET /providers. */
export const listProvidersContract = contract({
  method: 'GET',
  path: '/api/v1/providers',
  summary: 'Whether money lands at each provider.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: nothing,
  body: null,
  success: { status: 200, body: success(z.array(providerStanding)) },
  errors: [],
});
