/* Ids for the examples in help texts. */

export const BUSINESS = 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5TA';
export const KEY = 'key_01KDVDNX1QH4T9C2M7F5E8R3WB';
export const PAYMENT = 'pay_01KDVDNX1Q7B3W9E5R2T8Y6U4C';
export const CHECKOUT = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
