import type { Seen } from '#test/contract/document-check.ts';

/*
 * Holds every answer that the tests' own client gets (merchant.ts) against the API document, wherever it runs: a route that the
 * document has may answer nothing that is not in it.
 */

const loadCheck = async () => {
  const [{ makeDocument }, { documentCheck }] = await Promise.all([
    import('#infra/openapi/document.ts'),
    import('#test/contract/document-check.ts'),
  ]);
  return documentCheck(makeDocument());
};
let loading: ReturnType<typeof loadCheck> | undefined;

const deviating = new Set<string>();
/** A benchmark measures, and checks nothing. */
const isTest = typeof afterEach === 'function';

/** Notes what an answer has that is not in the document; the test that runs now fails with it when it ends. */
export const holdAgainstDocument = async (method: string, target: string, answer: Seen): Promise<void> => {
  if (!isTest) return;
  loading ??= loadCheck();
  const check = await loading;
  const found = check.routeOf(method, target);
  if (!found) return;
  for (const text of check.answerDeviations(method, target, answer))
    deviating.add(`${found.route} ${answer.status}: ${text}`);
};

/** @throws Error with what answers had that is not in the document. */
export const failIfUndocumented = (): void => {
  const sentences = [...deviating];
  deviating.clear();
  if (sentences.length > 0) throw new Error(`Not as the API document says:\n${sentences.join('\n')}`);
};
