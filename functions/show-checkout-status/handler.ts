import type { ChainDeps } from '#shared/api/http/types.ts';
import { hasVersion, payerStateRoute, statusAnswer } from '#shared/api/payer-page.ts';
import { payerPageDeps } from '#shared/checkouts/compose-payer-page.ts';
import { payerPageEnv } from '#shared/checkouts/env-page-links.ts';
import { findLinked, pageStateVersion, type ShowDeps, showToPayer } from '#shared/checkouts/use-cases/show-to-payer.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Tells a polling payment page what has changed. */
export const showCheckoutStatusHandler = (deps: ChainDeps & ShowDeps) =>
  payerStateRoute(deps, async (event, request) => {
    const checkout = await findLinked(deps, request.link, { mayLag: true });
    const etag = pageStateVersion(deps, checkout, { sentAt: request.sentAt, now: deps.now() });
    if (hasVersion(event, etag)) return { statusCode: 304, headers: { etag: `"${etag}"` }, body: '' };
    return statusAnswer(request, await showToPayer(deps, checkout, request.sentAt));
  });

export const handler = showCheckoutStatusHandler(payerPageDeps(readEnv(payerPageEnv, process.env)));
