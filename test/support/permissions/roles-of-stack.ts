import { tracingChannel } from 'node:diagnostics_channel';
import { RUNNING } from '#infra/local/lambda/lambda.ts';
import { callers } from './roles.ts';

/* `node --import` loads this into each thread of a local stack, before the stack's own code. It restricts the functions to their roles. */

tracingChannel<string, { readonly name: string }>(RUNNING).start.bindStore(callers, ({ name }) => name);
