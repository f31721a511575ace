import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { listRights } from '#infra/table-rights.ts';
import { MAIL_LIMITS } from '#shared/members/mail/mailer.ts';
import type { CallLimits } from '#shared/platform/aws-client.ts';
import { QUEUE_LIMITS } from '#shared/platform/queues/connect-queue.ts';
import { SECRET_LIMITS } from '#shared/platform/secrets/secret-value.ts';
import { TABLE_LIMITS } from '#shared/platform/table/table.ts';

/** The most milliseconds that the SDK waits before it first repeats a throttled call. Each further wait is twice as long. */
const FIRST_PAUSE_MS = 1_000;

const longestCallMs = ({ answerMs, maxAttempts }: CallLimits): number =>
  maxAttempts * answerMs + FIRST_PAUSE_MS * (2 ** (maxAttempts - 1) - 1);

const longest = Math.max(...[TABLE_LIMITS, SECRET_LIMITS, MAIL_LIMITS, QUEUE_LIMITS].map(longestCallMs));
const calling = ALL_FUNCTIONS.filter((spec) => listRights(spec).length + spec.queue.length > 0);

test.each(calling.map(({ name, timeoutSeconds }) => [name, timeoutSeconds] as const))(
  '%s may run for %i s, so it has two seconds left for its answer after the longest call to AWS',
  (_, timeoutSeconds) => {
    expect(timeoutSeconds * 1_000 - longest).toBeGreaterThanOrEqual(2_000);
  },
);
