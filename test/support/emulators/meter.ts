import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** The consumption of the calls of one operation. */
export interface Consumption {
  calls: number;
  readUnits: number;
  writeUnits: number;
}

interface Capacity {
  CapacityUnits?: number;
  ReadCapacityUnits?: number;
  WriteCapacityUnits?: number;
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'TransactGetItems']);

export type Metering = FaultProxy & { take(): Record<string, Consumption> };

/** Starts a proxy in front of DynamoDB that adds up the consumed capacity of every call, indexes included. */
export const startMeter = async (upstream: string): Promise<Metering> => {
  let metered: Record<string, Consumption> = {};
  const proxy = await startFaultProxy(upstream, {
    rewrite: (input) => ({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
    observe: (operation, answer) => {
      const consumed = [answer.ConsumedCapacity ?? []].flat() as Capacity[];
      metered[operation] ??= { calls: 0, readUnits: 0, writeUnits: 0 };
      const row = metered[operation];
      row.calls += 1;
      for (const { CapacityUnits = 0 } of consumed) {
        if (READS.has(operation)) row.readUnits += CapacityUnits;
        else row.writeUnits += CapacityUnits;
      }
    },
  });
  return {
    ...proxy,
    take: () => {
      const taken = metered;
      metered = {};
      return taken;
    },
  };
};
