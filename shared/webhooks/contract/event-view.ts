import type { Event } from '#shared/webhooks/domain/event.ts';

/** An event as the API shows it: the body of its webhook. */
export const eventView = (event: Event): Record<string, unknown> => JSON.parse(event.body);
