/* Runs before each test file (jest.config.js): gets it a DynamoDB engine of its own (start-jest.ts). */

const { ENGINE_DESK, JEST_WORKER_ID } = process.env;
if (ENGINE_DESK) {
  const answer = await fetch(`${ENGINE_DESK}/${JEST_WORKER_ID}`);
  const said = await answer.text();
  if (!answer.ok) throw new Error(said);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = said;
}
