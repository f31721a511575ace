import type { ProviderTrial, StepName } from '#shared/providers/common/simulator/tried-provider.ts';
import { isUnanswered, ProviderError } from '#shared/providers/domain/errors.ts';
import { type ComparedCall, compareExchanges } from './compare.ts';
import type { Scene } from './scene.ts';
import { STEPS, type Step } from './steps.ts';

/** The result of a step. */
export interface StepResult {
  readonly step: StepName;
  readonly does: string;
  /** `failed`: the step threw, or its outcome was not as expected. `differs`: only the shape of an answer was not as expected. */
  readonly status: 'passed' | 'differs' | 'failed' | 'skipped';
  /** A sentence that says why the step did not pass; null if it passed. */
  readonly why: string | null;
  readonly milliseconds: number;
  readonly calls: readonly ComparedCall[];
}

const NOBODY_ASKED = 'Nobody was asked to pay. Give --pay 10 to wait ten minutes for a payment.';

/** Says why a step is skipped; undefined if it is tried. */
const reasonToSkip = (
  { name, needs }: Step,
  { cannot }: ProviderTrial,
  { payWithin }: Scene,
  doneSteps: ReadonlySet<StepName>,
): string | undefined => {
  if (cannot[name] !== undefined) return cannot[name];
  if (name === 'paid' && payWithin === undefined) return NOBODY_ASKED;
  const missing = needs.find((need) => !doneSteps.has(need));
  return missing === undefined ? undefined : `This step needs the step "${missing}", which was not done.`;
};

/** Describes an error without any data of an answer. Our own errors have none; of other errors only the name is used. */
const describeError = (error: unknown): string => {
  if (error instanceof ProviderError || isUnanswered(error)) return `${error.name}: ${error.message}`;
  return `An unexpected error: ${error instanceof Error ? error.name : typeof error}.`;
};

/** Merges equal calls of a step, such as the pages of a list. */
const mergeCalls = (calls: readonly ComparedCall[]): readonly ComparedCall[] => {
  const kinds = new Map<string, ComparedCall>();
  for (const call of calls) {
    const kind = [call.method, call.path, call.status, ...call.fixtures].join(' ');
    const earlier = kinds.get(kind) ?? call;
    kinds.set(kind, {
      ...call,
      milliseconds: Math.max(earlier.milliseconds, call.milliseconds),
      differences: [...new Set([...earlier.differences, ...call.differences])],
      values: { ...earlier.values, ...call.values },
    });
  }
  return [...kinds.values()];
};

const runStep = async (
  step: Step,
  scene: Scene,
): Promise<{ readonly isDone: boolean; readonly why: string | undefined }> => {
  try {
    const why = await step.run(scene);
    return { isDone: true, why };
  } catch (error) {
    return { isDone: false, why: describeError(error) };
  }
};

/**
 * Tries a provider step by step, and compares each answer with the fixture of its call. If a step fails, the steps that need it are skipped.
 * Never throws because of the provider.
 */
export const tryProvider = async (
  trial: ProviderTrial,
  scene: Scene,
  now: () => number,
): Promise<readonly StepResult[]> => {
  const doneSteps = new Set<StepName>();
  const results: StepResult[] = [];
  for (const step of STEPS) {
    const { name, does } = step;
    const skipReason = reasonToSkip(step, trial, scene, doneSteps);
    if (skipReason !== undefined) {
      results.push({ step: name, does, status: 'skipped', why: skipReason, milliseconds: 0, calls: [] });
      continue;
    }
    const startedAt = now();
    const outcome = await runStep(step, scene);
    if (outcome.isDone) doneSteps.add(name);
    const milliseconds = now() - startedAt;
    const calls = mergeCalls(compareExchanges(trial, name, scene.exchanges.take(), scene.references(name)));
    const differs = calls.some(({ differences }) => differences.length > 0);
    const status = outcome.why === undefined ? (differs ? 'differs' : 'passed') : 'failed';
    const why = outcome.why ?? (differs ? 'An answer has another shape than its fixture.' : null);
    results.push({ step: name, does, status, why, milliseconds, calls });
    scene.say(`${name}: ${status}`);
  }
  return results;
};
