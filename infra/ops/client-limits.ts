const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;

/** Timeouts towards AWS's control plane: long, because an operator would rather wait than get no answer. */
export const CLIENT_LIMITS = {
  requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
};
