const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;

/** How long the operations command waits for AWS's control plane: an operator would rather wait than get no answer. */
export const CLIENT_LIMITS = {
  requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
};
