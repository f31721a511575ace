const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;

/** Time-outs in milliseconds for requests to AWS. They are long, because an operator would rather wait than get no answer. */
export const CLIENT_LIMITS = {
  requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
};
