import type { Mode } from '#shared/platform/kernel/mode.ts';

/** A sentence about what a provider did, as a business reads it. In test mode none is asked, which the sentence says. */
export const providerSentence = (mode: Mode, sentence: string): string =>
  mode === 'test' ? `${sentence} (simulated)` : sentence;
