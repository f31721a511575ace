import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { boolean } from '#shared/platform/kernel/schemas.ts';
import { eventType } from './event.ts';

/** The part of an endpoint that the business item contains, so that creating an event reads no endpoint items. */
export const endpointHead = z.object({
  id: idSchema('whe'),
  mode,
  events: z.array(z.union([eventType, z.literal('*')])),
  enabled: boolean,
});
export type EndpointHead = z.infer<typeof endpointHead>;
