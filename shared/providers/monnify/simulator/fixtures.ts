import { answers } from './fixture-answers.ts';
import { events } from './fixture-events.ts';
import { rows } from './fixture-rows.ts';

/** Monnify's answers, list rows and notifications as its sources have them. */
export const MONNIFY_FIXTURES = { answers, rows, events };
