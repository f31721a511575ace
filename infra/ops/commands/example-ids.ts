import { providerName } from '#shared/providers/domain/provider.ts';

/* Ids for the examples in help texts. */

export const BUSINESS = 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5TA';
export const KEY = 'key_01KDVDNX1QH4T9C2M7F5E8R3WB';
export const PAYMENT = 'pay_01KDVDNX1Q7B3W9E5R2T8Y6U4C';
export const CHECKOUT = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
export const EVENT = 'evt_01KDVDNX1Q5G8K2N4P7S9V3X6Z';
export const ENDPOINT = 'whe_01KDVDNX1Q9M3R6T8W2Y5A7C4E';
export const NOTIFICATION = `${providerName.options[0]}:${'0123456789abcdef'.repeat(4)}`;
