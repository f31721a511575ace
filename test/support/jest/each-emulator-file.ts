import { failIfUndocumented } from '#test/support/hostile/document-seen.ts';
import { failIfDenied } from '#test/support/permissions/roles.ts';
import { failIfSecretsLogged } from './search-logs.ts';
import { failIfDeviating, reportTypes } from './webhook-bodies.ts';

/* Runs before each test file with emulators (jest.config.js): gets a DynamoDB emulator for the file, and registers the checks of every test. */

const { TEST_COORDINATOR, JEST_WORKER_ID } = process.env;
if (TEST_COORDINATOR) {
  const response = await fetch(`${TEST_COORDINATOR}/emulators/${JEST_WORKER_ID}`, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = text;
}

for (const check of [failIfDenied, failIfUndocumented, failIfDeviating]) {
  afterEach(check);
  // Check also what happened before the first test and after the last one.
  afterAll(check);
}
afterAll(failIfSecretsLogged);
afterAll(() => reportTypes(expect.getState().testPath ?? ''));
