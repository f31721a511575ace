import type { SeenAnswer } from '#test/contract/document-check.ts';

/*
 * Checks every answer to the tests' own client (merchant.ts) against the API document: a documented route may answer only what the
 * document describes.
 */

const loadCheck = async () => {
  const [{ makeDocument }, { documentCheck }] = await Promise.all([
    import('#infra/openapi/document.ts'),
    import('#test/contract/document-check.ts'),
  ]);
  return documentCheck(makeDocument());
};
let loading: ReturnType<typeof loadCheck> | undefined;

const deviations = new Set<string>();
/** False in a benchmark, which checks nothing. */
const isTest = typeof afterEach === 'function';

/** Records how an answer differs from the document. Each difference fails the current test at its end. */
export const checkAgainstDocument = async (method: string, target: string, answer: SeenAnswer): Promise<void> => {
  if (!isTest) return;
  loading ??= loadCheck();
  const check = await loading;
  const route = check.routeOf(method, target);
  if (!route) return;
  for (const text of check.answerDeviations(method, target, answer))
    deviations.add(`${route.route} ${answer.status}: ${text}`);
};

/** @throws Error with the differences between answers and the document. */
export const failIfUndocumented = (): void => {
  const sentences = [...deviations];
  deviations.clear();
  if (sentences.length > 0) throw new Error(`These answers differ from the API document:\n${sentences.join('\n')}`);
};
