import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { findForbidden } from '#test/support/recorder/deviations.ts';
import { startRecorder } from '#test/support/recorder/recorder.ts';

/*
 * Restricts the functions in integration and end-to-end tests to their roles. The emulators check no permission. This file fails a test if
 * a function makes a call that the manifest does not allow.
 */

const findSpec = (name: string): FunctionSpec => {
  const spec = ALL_FUNCTIONS.find((spec) => spec.name === name);
  if (!spec) throw new Error(`The manifest has no function ${name}.`);
  return spec;
};

/** Finds the lane in a queue's name: worlds and the local stack name their queues after lanes. */
const findLane = (queueUrl: string): string =>
  /-money-[a-z]+$/.test(queueUrl) ? 'money' : (/-(first|retry|slow|test|codes)$/.exec(queueUrl)?.[1] ?? queueUrl);

const PREFIX = 'Denied: ';
const denials = new Set<string>();
const isTest = typeof afterEach === 'function';

const deny = (sentence: string): void => {
  if (isTest) denials.add(sentence);
  // A process that a test has started ends here with the reason, whatever the function does with errors.
  else queueMicrotask(() => Promise.reject(new Error(`${PREFIX}${sentence}`)));
};

const recorder = startRecorder((call) => {
  for (const sentence of findForbidden(findSpec(call.caller), [call], findLane)) deny(sentence);
});

/** Returns the denied calls since the last call, a sentence each. */
export const takeDenials = (): readonly string[] => {
  const sentences = [...denials];
  denials.clear();
  return sentences;
};

/** @throws Error with the denied calls. */
export const failIfDenied = (): void => {
  const sentences = takeDenials();
  if (sentences.length > 0) throw new Error(sentences.join('\n'));
};

/** Fails the current test with the denied calls of another process, if the last output of that process names any. */
export const takeUpDenials = (lastWords: string): void => {
  for (const [, sentence = ''] of lastWords.matchAll(new RegExp(`${PREFIX}(.*? it\\.)`, 'g'))) denials.add(sentence);
};

/** The functions that run now, for a process that records them in its own way. */
export const { callers } = recorder;

/** Runs a test's own work, such as a look into the table while a function runs. Calls of this work belong to no function and need no role. */
export const inNoRole = <T>(work: () => T): T => recorder.callers.exit(work);

/** Restricts the work or handler of a function to the function's role. */
export const inRole = <Work extends (...args: never[]) => unknown>(name: string, work: Work): Work => {
  findSpec(name);
  return ((...args) => recorder.during(name, () => work(...args))) as Work;
};
