import { visibilitySeconds } from '#infra/queues.ts';
import type { MoneyQueue } from '#shared/payments/ports.ts';
import type { DueTicket } from '#shared/platform/due-ticket.ts';
import { MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { doMoneyWork } from '#test/support/worlds/functions.ts';
import type { Lives } from './lives.ts';

/** The probability of each fault of the queue of money work, from 0 to 1. */
export interface QueueOdds {
  readonly lost: number;
  readonly duplicated: number;
  readonly delayed: number;
}

export const CALM_QUEUE: QueueOdds = { lost: 0, duplicated: 0, delayed: 0 };
export const ROUGH_QUEUE: QueueOdds = { lost: 0.05, duplicated: 0.15, delayed: 0.1 };

/** The most milliseconds by which a message is delayed. It may arrive before its work is sent again, or after that. */
const LONGEST_DELAY = 12 * MINUTE;
/** Milliseconds after which a message whose consumer was killed is received again. */
const HIDDEN_FOR = visibilitySeconds('money-paystack') * SECOND;

/** Simulates the queues of money work with faults, and counts the faults into `faultCounts`. `now`: the clock of the queue. */
export const createRoughQueue = (random: () => number, faultCounts: Record<string, number>, now: () => Millis) => {
  let odds = CALM_QUEUE;
  let waiting: { readonly ticket: DueTicket; readonly from: Millis }[] = [];
  const count = (fault: string): void => {
    faultCounts[fault] = (faultCounts[fault] ?? 0) + 1;
  };
  const drawFault = (fault: keyof QueueOdds): boolean => {
    const isDrawn = random() < odds[fault];
    if (isDrawn) count(`message ${fault}`);
    return isDrawn;
  };
  const hold = (ticket: DueTicket): void => {
    waiting.push({ ticket, from: now() + (drawFault('delayed') ? random() * LONGEST_DELAY : 0) });
  };
  const moneyQueue: MoneyQueue = {
    send: async (_, works) => {
      for (const { ticket } of works) {
        if (drawFault('lost')) continue;
        hold(ticket);
        if (drawFault('duplicated')) hold(ticket);
      }
    },
  };
  return {
    moneyQueue,
    setOdds: (next: QueueOdds): void => {
      odds = next;
    },
    isEmpty: (): boolean => waiting.length === 0,
    /** Works on all visible messages at once, each in a life of its own. A message whose consumer is killed is received again later. */
    consume: async (lives: Lives): Promise<void> => {
      const received = waiting.filter(({ from }) => from <= now());
      waiting = waiting.filter(({ from }) => from > now());
      const works = received.map(({ ticket }) =>
        lives
          .begin()
          .run((deps) => doMoneyWork(deps, ticket))
          .catch(() => {
            count('message received again');
            waiting.push({ ticket, from: now() + HIDDEN_FOR });
          }),
      );
      await Promise.all(works);
    },
  };
};
