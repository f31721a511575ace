import type { OpenPage } from './open-page.ts';

/** A request for the checkout's state, or a request that changes the checkout. */
export interface Question {
  readonly path: '/status' | '/sent' | '/another-account' | '/simulate';
  /** The body, sent as a form. */
  readonly body?: URLSearchParams;
  /** Whether the server sends the state only if it has changed. */
  readonly onlyIfChanged?: boolean;
}

/** Writes a URL of this page, with the time at which the money was sent and whether the page is in a frame. */
export const writePageUrl = ({ state: { sentAt }, isEmbedded }: OpenPage, path: string): string =>
  `${location.pathname}${path}?${new URLSearchParams({ ...(sentAt && { sent: String(sentAt) }), ...(isEmbedded && { embed: '1' }) })}`;

/** Sends a question. @throws TypeError if the server cannot be reached, and an AbortError if `signal` aborts it. */
export const send = (
  page: OpenPage,
  { path, body, onlyIfChanged }: Question,
  signal: AbortSignal,
): Promise<Response> => {
  const { etag } = page.state;
  return fetch(writePageUrl(page, path), {
    headers: { accept: 'application/json', ...(onlyIfChanged && etag && { 'if-none-match': etag }) },
    ...(body && { method: 'POST', body }),
    signal,
  });
};
