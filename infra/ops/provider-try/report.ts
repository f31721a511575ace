import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { isoMicros, type Millis } from '#shared/platform/kernel/time.ts';
import type { Customer, ProviderName } from '#shared/providers/domain/provider.ts';
import type { Exchange } from './exchanges.ts';
import type { StepResult } from './try-provider.ts';

/** What a try found out: names and types of fields, statuses, durations and versions. */
export interface TryReport {
  readonly provider: ProviderName;
  /** No step failed, and no answer differed. */
  readonly green: boolean;
  readonly started_at: string;
  readonly milliseconds: number;
  readonly versions: { readonly payments: string; readonly node: string };
  readonly steps: readonly StepResult[];
}

const PACKAGE = new URL('../../../package.json', import.meta.url);
const ourVersion = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version;

/** Makes the report of the steps of a try that began at `startedAt` (milliseconds since the epoch). */
export const createReport = (
  provider: ProviderName,
  steps: readonly StepResult[],
  startedAt: Millis,
  endedAt: Millis,
): TryReport => ({
  provider,
  green: steps.every(({ status }) => status === 'passed' || status === 'skipped'),
  started_at: isoMicros(startedAt),
  milliseconds: endedAt - startedAt,
  versions: { payments: ourVersion(), node: process.version },
  steps,
});

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Shorter ones, such as `NGN`, `035` or `Ada`, are also parts of names of fields. */
const SHORTEST_PART = 6;

/** Everything that a report must not hold: credentials, what was sent, and the numbers, references and addresses that were answered. */
const forbiddenIn = (exchanges: readonly Exchange[], secrets: readonly unknown[]): readonly string[] => {
  const sent = exchanges.flatMap(({ request }) => [
    ...textsIn(request.body),
    ...Object.values(request.headers).flatMap((header) => [header, ...header.split(' ')]),
    ...request.path.split(/[/?&=]/),
  ]);
  const answered = exchanges.flatMap(({ answer }) => textsIn(answer?.json)).filter((text) => /[\d@ ]/.test(text));
  return [...textsIn(secrets), ...sent.filter((text) => /[\d@ ]/.test(text)), ...answered];
};

/**
 * Checks that a report holds no secret, and nothing personal that was sent to the provider or answered by it; of the customer's name not
 * even a word. @throws OperatorError where it does.
 */
export const refuseLeak = (
  report: TryReport,
  exchanges: readonly Exchange[],
  secrets: readonly unknown[],
  customer: Customer,
): void => {
  // Without the only time in it, whose date an answer may have too.
  const text = JSON.stringify({ ...report, started_at: null }).toLowerCase();
  const words = customer.name.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  const parts = [...forbiddenIn(exchanges, [...secrets, customer]), ...words].filter(
    ({ length }) => length >= SHORTEST_PART,
  );
  const wordsOfReport = new Set(text.match(/\p{L}+/gu));
  if (parts.some((part) => text.includes(part.toLowerCase())) || words.some((word) => wordsOfReport.has(word))) {
    throw new OperatorError(
      'The report would hold a value that was sent or answered, so it was not written. If the customer of TRY_CUSTOMER is named like a field of an answer, give another name.',
    );
  }
};

/** Writes a report into a folder, as `provider-try-<name>-<date>.json`; returns the path. A report of the same day is replaced. */
export const writeReport = (report: TryReport, folder: string): string => {
  const path = resolve(folder, `provider-try-${report.provider}-${report.started_at.slice(0, 10)}.json`);
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
  return path;
};
