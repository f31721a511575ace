import { createHash } from 'node:crypto';
import { newNotification } from '#shared/payments/domain/notification.ts';
import { Refusal } from '#shared/platform/kernel/errors.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type SettleNotificationDeps, settleNotification } from './settle-notification.ts';

/** A notification as it was received. Header names in lower case. */
export interface IncomingNotification {
  readonly provider: ProviderName;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly raw: Buffer;
}

export interface ReceiveDeps extends SettleNotificationDeps, Pick<Runtime, 'wait'> {}

/** Milliseconds that the provider waits for its 200 at most. A longer look-up goes on, is no failure of the provider's, and is due for the sweeper if it does not finish. */
const ANSWER_WITHIN = 4_000;

/**
 * Receives a provider's notification about money (api-decisions.md section 6). Its signature authenticates it. The raw bytes are stored
 * before the provider gets its 200; a look-up then decides what happened. The same signed part is the same notification, however often it
 * comes and whatever unsigned bytes surround it.
 * @throws the refusals not_found (the stage has not enabled the provider) and invalid_signature.
 */
export const receiveNotification = async (
  deps: ReceiveDeps,
  { provider: name, headers, raw }: IncomingNotification,
): Promise<void> => {
  const provider = deps.liveProviders(name);
  if (!provider) throw new Refusal('not_found');
  if (!(await provider.authenticate(headers, raw))) {
    deps.metrics('notifications_refused', 1);
    throw new Refusal('invalid_signature');
  }
  provider.prefetchHealth?.('look_ups');
  const hash = createHash('sha256').update(provider.signedPart(raw)).digest('hex');
  const notification = newNotification({ provider: name, hash, raw: raw.toString('base64'), query: null }, deps.now());
  if (!(await deps.notifications.save(notification))) return;
  let isAnswered = false;
  // A late failure is none of the provider's: it neither counts in the breaker nor raises an alarm.
  const metrics: ReceiveDeps['metrics'] = (name, value) =>
    isAnswered && name === 'provider_failures' ? undefined : deps.metrics(name, value);
  const settled = provider.outliving(
    () => isAnswered,
    () => settleNotification({ ...deps, metrics }, notification),
  );
  await Promise.race([settled, deps.wait(ANSWER_WITHIN)]);
  isAnswered = true;
};
