import { payerPageDeps } from '#shared/composition/payer-page.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { payerPageEnv } from '#shared/env/page-links.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { isKnown, payerState, statusAnswer } from '#shared/http/payer-page.ts';
import { findLinked, type ShowDeps, showToPayer, sightVersion } from '#shared/use-cases/checkouts/show-to-payer.ts';

/** Tells the page of a checkout what is new. */
export const showCheckoutStatusHandler = (deps: PublicDeps & ShowDeps) =>
  payerState(deps, async (event, asked) => {
    const checkout = await findLinked(deps, asked.link, { mayLag: true });
    const etag = sightVersion(deps, checkout, { sentAt: asked.sentAt, now: deps.now() });
    if (isKnown(event, etag)) return { statusCode: 304, headers: { etag: `"${etag}"` }, body: '' };
    return statusAnswer(asked, await showToPayer(deps, checkout, asked.sentAt));
  });

export const handler = showCheckoutStatusHandler(payerPageDeps(readEnv(payerPageEnv, process.env)));
