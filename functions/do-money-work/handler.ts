import { doMoneyWorkDeps } from '#shared/payments/compose.ts';
import { doMoneyWorkEnv } from '#shared/payments/env.ts';
import { dueTicket } from '#shared/platform/due-ticket.ts';
import { readEnv } from '#shared/platform/env.ts';
import { consumer } from '#shared/platform/queues/consumer.ts';
import { type DoMoneyWorkDeps, doMoneyWork } from '#shared/sweeps/use-cases/do-money-work.ts';

/** Consumes the queues of money work: asks the providers, and records money. */
export const doMoneyWorkHandler = (deps: DoMoneyWorkDeps) =>
  consumer(dueTicket, deps.log, (ticket) => doMoneyWork(deps, ticket));

export const handler = doMoneyWorkHandler(doMoneyWorkDeps(readEnv(doMoneyWorkEnv, process.env)));
