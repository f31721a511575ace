import * as z from 'zod/mini';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { boolean } from '#shared/domain/kernel/schemas.ts';
import { eventType } from './event.ts';

/** What landing money and sending an event again have to know of an endpoint; the rest stands in its own item. */
export const endpointHead = z.object({
  id: idSchema('whe'),
  mode,
  events: z.array(z.union([eventType, z.literal('*')])),
  enabled: boolean,
});
export type EndpointHead = z.infer<typeof endpointHead>;
