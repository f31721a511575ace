import type { ProviderTrial, StepName } from '#shared/providers/common/simulator/tried-provider.ts';
import { isUnanswered, ProviderError } from '#shared/providers/domain/errors.ts';
import { type ComparedCall, compareExchanges } from './compare.ts';
import type { Scene } from './scene.ts';
import { STEPS, type Step } from './steps.ts';

/** What became of a step. */
export interface StepResult {
  readonly step: StepName;
  readonly does: string;
  /** `failed`: it could not be done, or its outcome was not the expected one. `differs`: only the shape of an answer was not. */
  readonly status: 'passed' | 'differs' | 'failed' | 'skipped';
  /** A sentence of ours for what is not passed; null for what is. */
  readonly why: string | null;
  readonly milliseconds: number;
  readonly calls: readonly ComparedCall[];
}

const NOT_ASKED = 'Nobody was asked to pay. --pay 10 waits ten minutes for it.';

/** Why a step is left out; undefined for one that is tried. */
const reasonToSkip = (
  { name, needs }: Step,
  { cannot }: ProviderTrial,
  { payWithin }: Scene,
  done: ReadonlySet<StepName>,
): string | undefined => {
  if (cannot[name] !== undefined) return cannot[name];
  if (name === 'paid' && payWithin === undefined) return NOT_ASKED;
  const missing = needs.find((need) => !done.has(need));
  return missing === undefined ? undefined : `It needs the step ${missing}, which was not done.`;
};

/** An error in words that repeat nothing of an answer: ours say none, and of any other only its kind is told. */
const describeError = (error: unknown): string => {
  if (error instanceof ProviderError || isUnanswered(error)) return `${error.name}: ${error.message}`;
  return `An unexpected error: ${error instanceof Error ? error.name : typeof error}.`;
};

/** Equal calls of a step, as pages of a list are, as one. */
const merged = (calls: readonly ComparedCall[]): readonly ComparedCall[] => {
  const kinds = new Map<string, ComparedCall>();
  for (const call of calls) {
    const kind = [call.method, call.path, call.status, ...call.fixtures].join(' ');
    const before = kinds.get(kind) ?? call;
    kinds.set(kind, {
      ...call,
      milliseconds: Math.max(before.milliseconds, call.milliseconds),
      differences: [...new Set([...before.differences, ...call.differences])],
      values: { ...before.values, ...call.values },
    });
  }
  return [...kinds.values()];
};

const runStep = async (
  step: Step,
  scene: Scene,
): Promise<{ readonly done: boolean; readonly why: string | undefined }> => {
  try {
    const why = await step.run(scene);
    return { done: true, why };
  } catch (error) {
    return { done: false, why: describeError(error) };
  }
};

/**
 * Tries a provider step by step, and compares each answer with the fixture of its call. A step that fails ends those that need it, and no
 * other. Throws nothing that the provider causes.
 */
export const tryProvider = async (
  tried: ProviderTrial,
  scene: Scene,
  now: () => number,
): Promise<readonly StepResult[]> => {
  const done = new Set<StepName>();
  const results: StepResult[] = [];
  for (const step of STEPS) {
    const { name, does } = step;
    const skipped = reasonToSkip(step, tried, scene, done);
    if (skipped !== undefined) {
      results.push({ step: name, does, status: 'skipped', why: skipped, milliseconds: 0, calls: [] });
      continue;
    }
    const startedAt = now();
    const outcome = await runStep(step, scene);
    if (outcome.done) done.add(name);
    const milliseconds = now() - startedAt;
    const calls = merged(compareExchanges(tried, name, scene.exchanges.take(), scene.references(name)));
    const differs = calls.some(({ differences }) => differences.length > 0);
    const status = outcome.why === undefined ? (differs ? 'differs' : 'passed') : 'failed';
    const why = outcome.why ?? (differs ? 'An answer has another shape than its fixture.' : null);
    results.push({ step: name, does, status, why, milliseconds, calls });
    scene.say(`${name}: ${status}`);
  }
  return results;
};
