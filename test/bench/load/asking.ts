import type { Asked, Client } from '#test/bench/requests.ts';
import type { LoadMerchant } from './merchants.ts';

/* Requests after the measured time. They are not part of the traffic, and none of them may fail. */

/**
 * One request under /api/v1 and its answer, which must have one of the statuses.
 * @throws Error with the answer when it has another.
 */
export const askFor = async (
  client: Client,
  { key }: LoadMerchant,
  asked: Omit<Asked, 'key'>,
  ...statuses: number[]
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows what it asked for.
): Promise<any> => {
  const { status, text } = await client.ask({ ...asked, path: `/api/v1${asked.path}`, key });
  if (!statuses.includes(status)) throw new Error(`${asked.path} was answered with ${status}: ${text}`);
  return JSON.parse(text);
};

/** All items of a list, over all its pages. `filter`: further parameters, each with an ampersand before it. */
export const listAll = async (
  client: Client,
  of: LoadMerchant,
  path: string,
  filter = '',
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows what it asked for.
): Promise<any[]> => {
  const all: unknown[] = [];
  for (let cursor = ''; ; ) {
    const page = { method: 'GET', path: `${path}?limit=100${filter}${cursor}` } as const;
    const { data, meta } = await askFor(client, of, page, 200);
    all.push(...data);
    if (!meta.has_more) return all;
    cursor = `&cursor=${meta.next_cursor}`;
  }
};
