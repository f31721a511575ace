import type { Answer } from '#infra/local/gateway/answer.ts';

/** Makes an answer for a page of the local stack. It is not cached, and pages of other origins cannot load it. */
export const pageAnswer = (
  status: number,
  type: string,
  body: string,
  moreHeaders: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    ...moreHeaders,
  },
  cookies: [],
  body,
});

/** Makes an answer with JSON and the same headers. */
export const jsonAnswer = (status: number, body: unknown): Answer =>
  pageAnswer(status, 'application/json', JSON.stringify(body));
