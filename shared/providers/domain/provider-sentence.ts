import type { Mode } from '#shared/platform/kernel/mode.ts';

/** Marks a sentence about a provider as simulated in test mode, where no provider is called. For businesses. */
export const providerSentence = (mode: Mode, sentence: string): string =>
  mode === 'test' ? `${sentence} (simulated)` : sentence;
