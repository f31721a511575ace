import { type Call, type CallOptions, parseBody, type Send } from './transport.ts';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The `cursor` of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** A list, newest first. Read one page of it, or go through all pages with `for await`. */
export class List<T> implements AsyncIterable<T> {
  readonly #send: Send;
  readonly #path: string;
  readonly #query: { readonly cursor?: string | undefined };
  readonly #options: Pick<CallOptions, 'signal'> | undefined;

  constructor(send: Send, path: string, query: object = {}, options?: Pick<CallOptions, 'signal'>) {
    this.#send = send;
    this.#path = path;
    this.#query = query;
    this.#options = options;
  }

  /**
   * Reads the page with this cursor; by default with the query's `cursor`, or the first page. A filtered page may be empty although more
   * pages follow.
   */
  async page(cursor: string | null | undefined = this.#query.cursor): Promise<Page<T>> {
    const query = { ...this.#query, cursor };
    const call: Call = { method: 'GET', path: this.#path, query, repeatable: 'always' };
    const { data, meta } = parseBody<{ data: T[]; meta: { next_cursor: string | null } }>(
      await this.#send(call, this.#options),
    );
    return { items: data, nextCursor: meta.next_cursor };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let { items, nextCursor } = await this.page();
    yield* items;
    while (nextCursor !== null) {
      ({ items, nextCursor } = await this.page(nextCursor));
      yield* items;
    }
  }
}
