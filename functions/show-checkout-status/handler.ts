import type { StackDeps } from '#shared/api/http/types.ts';
import { isKnown, payerState, statusAnswer } from '#shared/api/payer-page.ts';
import { payerPageDeps } from '#shared/checkouts/compose-payer-page.ts';
import { payerPageEnv } from '#shared/checkouts/env-page-links.ts';
import { findLinked, type ShowDeps, showToPayer, sightVersion } from '#shared/checkouts/use-cases/show-to-payer.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Tells the page of a checkout what is new. */
export const showCheckoutStatusHandler = (deps: StackDeps & ShowDeps) =>
  payerState(deps, async (event, asked) => {
    const checkout = await findLinked(deps, asked.link, { mayLag: true });
    const etag = sightVersion(deps, checkout, { sentAt: asked.sentAt, now: deps.now() });
    if (isKnown(event, etag)) return { statusCode: 304, headers: { etag: `"${etag}"` }, body: '' };
    return statusAnswer(asked, await showToPayer(deps, checkout, asked.sentAt));
  });

export const handler = showCheckoutStatusHandler(payerPageDeps(readEnv(payerPageEnv, process.env)));
