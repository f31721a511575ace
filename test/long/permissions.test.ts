import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { MONEY_PREFIX } from '#infra/lanes.ts';
import { type FindLane, findDeviations } from '#test/support/recorder/deviations.ts';
import type { AwsCall } from '#test/support/recorder/recorder.ts';
import { writeRights } from '#test/support/recorder/write-rights.ts';

const run = promisify(execFile);

/** The output of test/support/recorder/record.ts. */
interface Recorded {
  readonly calls: readonly AwsCall[];
  readonly invoked: readonly string[];
  readonly lanes: Readonly<Record<string, string>>;
}

describe('the manifest allows exactly the AWS calls of', () => {
  let invoked: readonly string[];
  let deviations: readonly string[];
  beforeAll(async () => {
    const { stdout } = await run(process.execPath, ['test/support/recorder/record.ts'], { maxBuffer: 100_000_000 });
    const recorded = JSON.parse(stdout) as Recorded;
    const findLane: FindLane = (url) =>
      Object.entries(recorded.lanes)
        .find(([, known]) => known === url)?.[0]
        .replace(/^money-.*/, MONEY_PREFIX) ?? url;
    invoked = recorded.invoked;
    if (process.env.UPDATE_RIGHTS === 'yes') await writeRights(recorded.calls);
    deviations = ALL_FUNCTIONS.flatMap((spec) => findDeviations(spec, recorded.calls, findLane));
  });

  test.each(ALL_FUNCTIONS.map(({ name }) => name))('%s', (name) => {
    expect(invoked).toContain(name);
    expect(deviations.filter((sentence) => sentence.startsWith(`${name} `))).toEqual([]);
  });
});
