import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { beyondRole } from '#test/support/recorder/deviations.ts';
import { startRecorder } from '#test/support/recorder/recorder.ts';

/*
 * Holds the functions that integration and end-to-end tests call to their roles: what the manifest does not allow fails the test in
 * which it was asked for, wherever the emulators, which check no permission, would let it pass.
 */

const specOf = (name: string): FunctionSpec => {
  const found = ALL_FUNCTIONS.find((spec) => spec.name === name);
  if (!found) throw new Error(`The manifest has no function ${name}.`);
  return found;
};

/** Worlds and the local stack name their queues after lanes. */
const laneOf = (queueUrl: string): string =>
  /-money-[a-z]+$/.test(queueUrl) ? 'money' : (/-(first|retry|slow|test|codes)$/.exec(queueUrl)?.[1] ?? queueUrl);

const REFUSED = 'Refused: ';
const refused = new Set<string>();
const isTest = typeof afterEach === 'function';

const refuse = (sentence: string): void => {
  if (isTest) refused.add(sentence);
  // A process that a test has started ends here and says why, whatever the function makes of errors.
  else queueMicrotask(() => Promise.reject(new Error(`${REFUSED}${sentence}`)));
};

const recorder = startRecorder((call) => {
  for (const sentence of beyondRole(specOf(call.caller), [call], laneOf)) refuse(sentence);
});

/** What functions were refused since this was asked last, a sentence each. */
export const takeDenials = (): readonly string[] => {
  const sentences = [...refused];
  refused.clear();
  return sentences;
};

/** @throws Error with what functions were refused. */
export const failIfRefused = (): void => {
  const sentences = takeDenials();
  if (sentences.length > 0) throw new Error(sentences.join('\n'));
};

/** Fails the test that runs now with what a process of its own was refused, if it says so in its last words. */
export const takeUpDenials = (lastWords: string): void => {
  for (const [, sentence = ''] of lastWords.matchAll(new RegExp(`${REFUSED}(.*? it\\.)`, 'g'))) refused.add(sentence);
};

/** The functions that run now, for a process that records in its own way who runs. */
export const { callers } = recorder;

/** What a test does itself, such as a look into the table from a receiver that a function is calling: no function's call, and checked against no role. */
export const inNoRole = <T>(work: () => T): T => recorder.callers.exit(work);

/** The work of a function of the manifest, or its handler, held to that function's role. */
export const inRole = <Work extends (...given: never[]) => unknown>(name: string, work: Work): Work => {
  specOf(name);
  return ((...given) => recorder.during(name, () => work(...given))) as Work;
};
