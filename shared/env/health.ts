import * as z from 'zod/mini';
import { firstQueueEnv, tableEnv } from './kernel.ts';

/** `GET /health`. */
export const healthEnv = z.extend(tableEnv, firstQueueEnv.shape);
