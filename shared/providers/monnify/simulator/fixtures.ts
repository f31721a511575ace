import { answers } from './fixture-answers.ts';
import { events } from './fixture-events.ts';
import { rows } from './fixture-rows.ts';

/** Monnify's documented answers, list rows and notifications. */
export const MONNIFY_FIXTURES = { answers, rows, events };
