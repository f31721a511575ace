import { createHash } from 'node:crypto';
import { FIRST_LOOK_UP } from '#shared/domain/notification.ts';
import type { ProviderName } from '#shared/domain/provider.ts';
import { ProviderUnavailable } from '#shared/domain/provider-errors.ts';
import type { PaymentQuery } from '#shared/domain/provider-report.ts';
import { currentSpan, firstReconciliation, pageCompared } from '#shared/domain/reconciliation.ts';
import type {
  LiveProvider,
  LiveProviders,
  Metrics,
  NotificationStore,
  ReconciliationStore,
  ReportPage,
} from '#shared/ports.ts';
import type { LandDeps } from './land-money.ts';
import { lookUpPayment } from './look-up-payment.ts';

export interface ReconcileDeps extends LandDeps {
  readonly liveProviders: LiveProviders;
  readonly reconciliations: ReconciliationStore;
  readonly notifications: NotificationStore;
  readonly metrics: Metrics;
}

/** Pages of one run; the next run goes on behind them. */
const PAGES = 20;

type Listed = ReportPage['payments'];

/** Of a page, what our books do not show yet. Where a list tells no transfer's id, only the look-up knows. */
const missing = async (deps: ReconcileDeps, name: ProviderName, payments: Listed): Promise<Listed> => {
  const ids = payments.map(({ transferId }) => transferId).filter((id) => id !== null);
  const recorded = await deps.reconciliations.recorded(name, ids);
  return payments.filter(({ transferId }) => transferId === null || !recorded.has(transferId));
};

/** Notes what could not be looked up, as if its notification had come just now: it is looked up again for 72 hours. */
const owe = async (deps: ReconcileDeps, provider: ProviderName, query: PaymentQuery): Promise<void> => {
  const hash = createHash('sha256').update(`${query.by} ${query.value}`).digest('hex');
  const owed = await deps.notifications.find({ provider, hash });
  if (owed?.dueAt != null) return;
  const receivedAt = deps.now();
  const dueAt = receivedAt + FIRST_LOOK_UP;
  await deps.notifications.schedule({ provider, hash, raw: '', query, receivedAt, tries: 0, dueAt }, 0, dueAt);
};

/** One payment that cannot be read must neither hold up the others nor be forgotten. */
const comparePage = async (deps: ReconcileDeps, name: ProviderName, provider: LiveProvider, payments: Listed) => {
  for (const { query } of await missing(deps, name, payments)) {
    try {
      await lookUpPayment(deps, name, provider, query);
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error;
      deps.log('look_up_failed', { provider: name }, error);
      deps.metrics('provider_failures', 1);
      await owe(deps, name, query);
    }
  }
};

/**
 * Compares our books with what a provider took in since the last time, so that a notification that never came costs minutes
 * (architecture.md section 6). Each page is written down: a crash or a failure goes on where it was.
 * @throws what the provider's calls throw.
 */
export const reconcileProvider = async (deps: ReconcileDeps, name: ProviderName): Promise<void> => {
  const provider = deps.liveProviders(name);
  if (!provider) return;
  let before = await deps.reconciliations.find(name);
  for (let page = 0; page < PAGES; page++) {
    const now = deps.now();
    if (before && before.cursor === null && before.dueAt > now) return;
    const span = currentSpan(before ?? firstReconciliation(name, now), now);
    const { payments, next } = await provider.listPayments(span);
    await comparePage(deps, name, provider, payments);
    const after = pageCompared(span, next, now);
    if (!(await deps.reconciliations.save(before, after))) return;
    before = after;
  }
};
