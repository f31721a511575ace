/* Ids for the examples in help texts. */

export const BUSINESS = 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5TA';
export const KEY = 'key_01KDVDNX1QH4T9C2M7F5E8R3WB';
