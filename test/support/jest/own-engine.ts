/* Runs before each test file (jest.config.js): gets it a DynamoDB engine of its own (start.ts). */

const { ENGINE_DESK, JEST_WORKER_ID } = process.env;
if (ENGINE_DESK) {
  const response = await fetch(`${ENGINE_DESK}/engines/${JEST_WORKER_ID}`, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = text;
}
