import type { OpenPage } from './open-page.ts';

/** A request for the checkout's state, or one that changes it. */
export interface Question {
  readonly path: '/status' | '/sent' | '/another-account' | '/simulate';
  /** Sent as a form. */
  readonly body?: URLSearchParams;
  /** Whether an answer is wanted only if something changed. */
  readonly ifChanged?: boolean;
}

/** Writes an address of this page, which says when the money was sent and whether the page is in a frame. */
export const writeAddress = ({ state: { sentAt }, isEmbedded }: OpenPage, path: string): string =>
  `${location.pathname}${path}?${new URLSearchParams({ ...(sentAt && { sent: String(sentAt) }), ...(isEmbedded && { embed: '1' }) })}`;

/** Sends a question. @throws TypeError where nobody is reached, and an AbortError once `signal` ends it. */
export const send = (page: OpenPage, { path, body, ifChanged }: Question, signal: AbortSignal): Promise<Response> => {
  const { etag } = page.state;
  return fetch(writeAddress(page, path), {
    headers: { accept: 'application/json', ...(ifChanged && etag && { 'if-none-match': etag }) },
    ...(body && { method: 'POST', body }),
    signal,
  });
};
