import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import { type Fault, type Faults, makeTransactionConflict } from '#test/support/emulators/fault-proxy.ts';

const makeError = (name: string): Fault => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Injected.' },
});
const THROTTLED = makeError('ProvisionedThroughputExceededException');
const BUSY = makeError('ThrottlingException');
const CONFLICT = makeError('TransactionConflictException');

/** The probability of each fault of table and queue, from 0 to 1. */
export interface FaultOdds {
  readonly sendFails: number;
  readonly throttled: number;
  readonly conflict: number;
  readonly answerLost: number;
}

/** Draws faults of table and queue at random, and counts them. */
export const createFaults = (odds: FaultOdds, draw: () => number) => {
  const injected = { throttled: 0, conflicts: 0, lost: 0, sends: 0 };
  const chance = (probability: number): boolean => draw() < probability;
  const table: Faults = (operation, input) => {
    if (chance(odds.throttled)) {
      injected.throttled += 1;
      return chance(0.5) ? THROTTLED : BUSY;
    }
    if (!/^(Update|Put|Transact)/.test(operation)) return undefined;
    if (chance(odds.conflict)) {
      injected.conflicts += 1;
      return operation === 'TransactWriteItems'
        ? makeTransactionConflict((input.TransactItems as unknown[]).length)
        : CONFLICT;
    }
    if (!chance(odds.answerLost)) return undefined;
    injected.lost += 1;
    return 'lose-answer';
  };
  const unreliable = (queue: DeliveryQueue): DeliveryQueue => ({
    send: async (lane, jobs, delaySeconds) => {
      if (!chance(odds.sendFails)) return queue.send(lane, jobs, delaySeconds);
      injected.sends += 1;
      // SQS takes some messages of a batch and refuses the others.
      await queue.send(lane, jobs.slice(0, Math.floor(draw() * jobs.length)), delaySeconds);
      throw new Error('SQS refused some messages.');
    },
  });
  return { injected, table, unreliable };
};
