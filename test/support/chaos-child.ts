import type { SQSEvent } from 'aws-lambda';
import { handler } from '#functions/deliver-webhooks/handler.ts';
import { inRole } from './roles.ts';

/** A consumer in a process of its own, to be killed by a test: the real handler, given one batch. */
await inRole('deliver-webhooks', handler)(JSON.parse(process.argv[2] ?? '') as SQSEvent);
