import * as z from 'zod';
import { keyKind } from './api-key.ts';
import { type EventType, eventType } from './event.ts';
import { idSchema } from './ids.ts';
import { type Mode, mode } from './mode.ts';

/** At most this many webhook endpoints in each mode (api.md section 5). */
export const MAX_ENDPOINTS_PER_MODE = 5;
/** Bounds the transaction that suspends a business together with all of its keys. */
export const MAX_KEYS_PER_BUSINESS = 50;

/** What landing money has to know of an endpoint; the rest stands in its own item. */
export const endpointHead = z.object({
  id: idSchema('whe'),
  mode,
  events: z.array(z.union([eventType, z.literal('*')])),
  enabled: z.boolean(),
});
export type EndpointHead = z.infer<typeof endpointHead>;

/** A business, with the heads of its endpoints and the hashes of its keys. */
export const business = z.object({
  id: idSchema('biz'),
  name: z.string().min(1).max(200),
  suspended: z.boolean(),
  endpoints: z.array(endpointHead).max(2 * MAX_ENDPOINTS_PER_MODE),
  keys: z.array(z.object({ id: idSchema('key'), hash: z.string(), mode, kind: keyKind })).max(MAX_KEYS_PER_BUSINESS),
  createdAt: z.number(),
  version: z.number().int().min(1),
});
export type Business = z.infer<typeof business>;

/** The endpoints that hear of an event: enabled, in its mode, subscribed to its type. */
export const subscribers = (owner: Business, type: EventType, eventMode: Mode): EndpointHead[] =>
  owner.endpoints.filter(
    (head) => head.enabled && head.mode === eventMode && (head.events.includes('*') || head.events.includes(type)),
  );
