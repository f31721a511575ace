import { styleText } from 'node:util';

/* Colours for people at a terminal. A colour only repeats what the text says, so nothing is lost without colours. */

type Colour = 'green' | 'yellow' | 'red';

/** Colours of states by the beginning of their text. The first match counts. */
const STATES: readonly (readonly [RegExp, Colour])[] = [
  [/^(works (until|again)|pending|underpaid|expired|delivering|parked|failing|failed last|differs)\b/i, 'yellow'],
  [/^(works|active|enabled|well|ready|ok|paid|accepted|succeeded|passed)\b/i, 'green'],
  [/^(revoked|suspended|failed|exhausted|disabled|not ready|down|no answer|inactive)\b/i, 'red'],
];

/** Colours a text by its state. */
export const inColour = (state: string, text = state): string => {
  const match = STATES.find(([beginning]) => beginning.test(state.trim()));
  return match ? styleText(match[1], text, { validateStream: false }) : text;
};

export const bold = (text: string): string => styleText('bold', text, { validateStream: false });
export const dim = (text: string): string => styleText('dim', text, { validateStream: false });
export const red = (text: string): string => styleText('red', text, { validateStream: false });

/** Whether a stream is a terminal that shows colours. NO_COLOR switches them off (no-color.org). */
export const hasColours = (stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';

/** Control characters, line and paragraph separators, and characters that change the direction of text. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Replaces hidden characters by visible escapes such as `\u{1b}`: a stranger may have put them into the text to control the terminal or to deceive. */
export const escapeHidden = (text: string): string =>
  text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
