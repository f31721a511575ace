import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { isoMicros, type Millis } from '#shared/platform/kernel/time.ts';
import type { Customer, ProviderName } from '#shared/providers/domain/provider.ts';
import type { Exchange } from './exchanges.ts';
import type { StepResult } from './try-provider.ts';

/** The report of a try: names and types of fields, statuses, durations and versions. */
export interface TryReport {
  readonly provider: ProviderName;
  /** Whether every step passed or was skipped. A step with an answer that differs from the expected one does not pass. */
  readonly green: boolean;
  readonly started_at: string;
  readonly milliseconds: number;
  readonly versions: { readonly payments: string; readonly node: string };
  readonly steps: readonly StepResult[];
}

const PACKAGE = new URL('../../../package.json', import.meta.url);
const readVersion = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version;

/** Makes the report of a try. Times are in milliseconds since the epoch. */
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
  versions: { payments: readVersion(), node: process.version },
  steps,
});

const collectTexts = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
};

/** A report is not searched for texts that are shorter than this. Short texts, such as `NGN`, `035` or `Ada`, also occur in names of fields. */
const SHORTEST_CHECKED = 6;

/** Collects everything that a report must not contain: credentials, sent values, and answered numbers, references and addresses. */
const collectForbidden = (exchanges: readonly Exchange[], secrets: readonly unknown[]): readonly string[] => {
  const sent = exchanges.flatMap(({ request }) => [
    ...collectTexts(request.body),
    ...Object.values(request.headers).flatMap((header) => [header, ...header.split(' ')]),
    ...request.path.split(/[/?&=]/),
  ]);
  const answered = exchanges.flatMap(({ answer }) => collectTexts(answer?.json)).filter((text) => /[\d@ ]/.test(text));
  return [...collectTexts(secrets), ...sent.filter((text) => /[\d@ ]/.test(text)), ...answered];
};

/**
 * Checks that a report contains no secret, no personal data that was sent or answered, and no word of the customer's name.
 * @throws OperatorError if it does.
 */
export const ensureNoLeak = (
  report: TryReport,
  exchanges: readonly Exchange[],
  secrets: readonly unknown[],
  customer: Customer,
): void => {
  // The start time is left out: an answer may contain the same date.
  const text = JSON.stringify({ ...report, started_at: null }).toLowerCase();
  const words = customer.name.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  const parts = [...collectForbidden(exchanges, [...secrets, customer]), ...words].filter(
    ({ length }) => length >= SHORTEST_CHECKED,
  );
  const wordsOfReport = new Set(text.match(/\p{L}+/gu));
  if (parts.some((part) => text.includes(part.toLowerCase())) || words.some((word) => wordsOfReport.has(word))) {
    throw new OperatorError(
      'The report was not written, because it would contain a value that was sent or answered. If the name in TRY_CUSTOMER is also the name of a field in an answer, give another name.',
    );
  }
};

/** Writes a report into a folder as `provider-try-<name>-<date>.json`, and returns its path. Replaces a report of the same day. */
export const writeReport = (report: TryReport, folder: string): string => {
  const path = resolve(folder, `provider-try-${report.provider}-${report.started_at.slice(0, 10)}.json`);
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
  return path;
};
