import type { MoneyQueue } from '#shared/payments/ports.ts';
import type { DueTicket } from '#shared/platform/due-ticket.ts';
import { doMoneyWork } from '#test/support/worlds/functions.ts';
import type { Lives } from './lives.ts';

/** How likely the queue of money work does what to a message, from 0 to 1. */
export interface QueueOdds {
  readonly lost: number;
  readonly duplicated: number;
  readonly delayed: number;
}

export const CALM_QUEUE: QueueOdds = { lost: 0, duplicated: 0, delayed: 0 };
export const ROUGH_QUEUE: QueueOdds = { lost: 0.05, duplicated: 0.15, delayed: 0.1 };

/** The queues of money work with faults of their own, counted into `struck`; what is delayed comes with what is received later. */
export const roughMoneyQueue = (random: () => number, struck: Record<string, number>) => {
  let odds = CALM_QUEUE;
  let waiting: DueTicket[] = [];
  const strikes = (fault: keyof QueueOdds): boolean => {
    const does = random() < odds[fault];
    if (does) struck[`message ${fault}`] = (struck[`message ${fault}`] ?? 0) + 1;
    return does;
  };
  const moneyQueue: MoneyQueue = {
    send: async (_, works) => {
      for (const { ticket } of works) {
        if (strikes('lost')) continue;
        waiting.push(ticket);
        if (strikes('duplicated')) waiting.push(ticket);
      }
    },
  };
  return {
    moneyQueue,
    setOdds: (next: QueueOdds): void => {
      odds = next;
    },
    /** Works on what is received now, all at once, each in a life of its own. A message whose consumer dies is received again later. */
    consume: async (lives: Lives): Promise<void> => {
      const received = waiting;
      waiting = [];
      const works = received.map(async (ticket) => {
        if (strikes('delayed')) waiting.push(ticket);
        else
          await lives
            .begin()
            .run((deps) => doMoneyWork(deps, ticket))
            .catch(() => {
              waiting.push(ticket);
            });
      });
      await Promise.all(works);
    },
  };
};
