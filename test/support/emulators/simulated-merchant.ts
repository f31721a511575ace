import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { LAST_STEP_SIZE } from '#shared/webhooks/domain/breaker-transitions.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import type { LandedEvent } from './landed-events.ts';

/** A webhook that arrived, with the simulated time. */
export interface ReceivedWebhook {
  readonly eventId: string;
  readonly at: Millis;
  readonly status: number;
}

/** Starts a merchant's server that records its webhooks and answers with one status for all events, or with a status for each event. */
export const startSimulatedMerchant = async (now: () => Millis) => {
  const receiver = await startReceiver();
  const received: ReceivedWebhook[] = [];
  let chooseStatus = (_eventId: string): number => 200;
  receiver.answer((response, { headers }) => {
    const eventId = String(headers['webhook-id']);
    const status = chooseStatus(eventId);
    received.push({ eventId, at: now(), status });
    response.writeHead(status).end();
  });
  const accepted = () => received.filter((webhook) => webhook.status === 200);
  return {
    url: receiver.url,
    stop: receiver.stop,
    received,
    /** Lists the webhooks that the server answered with 200. */
    listAccepted: accepted,
    acceptedIds: () =>
      accepted()
        .map(({ eventId }) => eventId)
        .toSorted(),
    answerWith: (status: number): void => {
      chooseStatus = () => status;
    },
    answerEachWith: (status: (eventId: string) => number): void => {
      chooseStatus = status;
    },
  };
};
export type SimulatedMerchant = Awaited<ReturnType<typeof startSimulatedMerchant>>;

/** Counts the arrivals in each minute since `from`. */
export const countByMinute = (webhooks: readonly ReceivedWebhook[], from: Millis): number[] => {
  const counts: number[] = [];
  for (const { at } of webhooks) {
    const minute = Math.floor((at - from) / MINUTE);
    counts[minute] = (counts[minute] ?? 0) + 1;
  }
  return Array.from(counts, (count) => count ?? 0);
};

/** Returns how many deliveries the rising rate allows in a minute of a drain. */
export const limitInMinute = (minute: number): number => Math.min(60 * 2 ** minute, LAST_STEP_SIZE);

export const listIds = (landed: readonly LandedEvent[]): string[] => landed.map(({ event }) => event.id).toSorted();
