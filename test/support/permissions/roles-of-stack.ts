import { tracingChannel } from 'node:diagnostics_channel';
import { RUNNING } from '#infra/local/lambda/lambda.ts';
import { callers } from './roles.ts';

/* Loaded into each thread of a local stack ahead of it (`node --import`): holds its functions to their roles. */

tracingChannel<string, { readonly name: string }>(RUNNING).start.bindStore(callers, ({ name }) => name);
