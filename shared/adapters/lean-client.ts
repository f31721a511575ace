/** Middlewares of the SDK that we do not use: one copies input and output for a logger, one adds a user agent. */
const UNUSED = ['loggerMiddleware', 'getUserAgentMiddleware'];

/** Removes middlewares that this service does not use: about a fifth of a call's CPU time. */
export const lean = <C extends { readonly middlewareStack: { remove(step: string): boolean } }>(client: C): C => {
  for (const step of UNUSED) client.middlewareStack.remove(step);
  return client;
};

/** Milliseconds until a connection to AWS stands. */
const CONNECT_MS = 1_000;

/**
 * The limits of one try of an SDK call, for its `requestHandler`: a second to connect, `answerMs` milliseconds for the answer.
 * Without `throwOnRequestTimeout` the SDK prints a warning when an answer is late, and waits on.
 */
export const timeLimits = (answerMs: number) => ({
  connectionTimeout: CONNECT_MS,
  requestTimeout: answerMs,
  throwOnRequestTimeout: true,
});
