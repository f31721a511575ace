import { reportTransferDeps } from '#shared/composition/payer-page.ts';
import { addressBlock } from '#shared/domain/requests/address-block.ts';
import { reportTransferEnv } from '#shared/env/checkouts.ts';
import { readEnv } from '#shared/env/kernel.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { afterForm, payerState } from '#shared/http/payer-page.ts';
import { type ReportTransferDeps, reportTransfer } from '#shared/use-cases/checkouts/report-transfer.ts';
import { type ShowDeps, showToPayer } from '#shared/use-cases/checkouts/show-to-payer.ts';

/** The payer says that the money was sent: the provider is asked. */
export const reportTransferHandler = (deps: PublicDeps & ShowDeps & ReportTransferDeps) =>
  payerState(deps, async (event, given, changes) => {
    const asked = { ...given, sentAt: given.sentAt ?? deps.now() };
    const checkout = await reportTransfer(deps, asked.link, addressBlock(event.requestContext.http.sourceIp));
    changes(checkout.reference);
    return afterForm(event, asked, () => showToPayer(deps, checkout, asked.sentAt));
  });

export const handler = reportTransferHandler(reportTransferDeps(readEnv(reportTransferEnv, process.env)));
