const NOT_ASCII = /[\u007f-\uffff]/g;
const HEX = 16;
const DIGITS = 4;

/**
 * Writes a message for a queue: JSON in ASCII, with every other character as `\uXXXX`. SQS rejects a body with a code point that XML does not
 * have, such as U+FFFF.
 */
export const messageBody = (message: unknown): string =>
  JSON.stringify(message).replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(HEX).padStart(DIGITS, '0')}`);
