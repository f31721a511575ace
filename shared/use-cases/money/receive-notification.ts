import { createHash } from 'node:crypto';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { FIRST_LOOK_UP, type Notification } from '#shared/domain/money/notification.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import { type SettleNotificationDeps, settleNotification } from './settle-notification.ts';

/** A notification as it came over the wire. Header names in lower case. */
export interface IncomingNotification {
  readonly provider: ProviderName;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly raw: Buffer;
}

export interface ReceiveDeps extends SettleNotificationDeps, Pick<Runtime, 'wait'> {}

/** Milliseconds for the look-up before the provider gets its 200; what takes longer goes on, and is due again besides. */
const ANSWER_WITHIN = 4_000;

/**
 * A provider reports money (api-decisions.md section 6). Its signature is the authentication; the raw bytes are stored before it gets
 * 200; what they mean, the look-up decides. What the provider signed is one notification, however often it comes and whatever stands around
 * it.
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
  const receivedAt = deps.now();
  const notification: Notification = {
    provider: name,
    hash: createHash('sha256').update(provider.signedPart(raw)).digest('hex'),
    raw: raw.toString('base64'),
    query: null,
    receivedAt,
    tries: 0,
    dueAt: receivedAt + FIRST_LOOK_UP,
  };
  if (!(await deps.notifications.save(notification))) return;
  await Promise.race([settleNotification(deps, notification), deps.wait(ANSWER_WITHIN)]);
};
