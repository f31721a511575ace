const NOT_ASCII = /[\u007f-\uffff]/g;
const HEX = 16;
const DIGITS = 4;

/**
 * A message as a queue carries it: JSON in ASCII, in which every other character is `\uXXXX`. SQS refuses a body with a code point that XML
 * does not have, such as U+FFFF, and with it whatever the message says.
 */
export const messageBody = (message: unknown): string =>
  JSON.stringify(message).replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(HEX).padStart(DIGITS, '0')}`);
