/** Watches a part that must not end by itself. `died` resolves with its reason unless `expectEnd` was called. */
export const watchEnd = (ended: Promise<string>) => {
  let isExpected = false;
  return {
    expectEnd: (): void => {
      isExpected = true;
    },
    died: new Promise<string>((resolve) => {
      void ended.then((reason) => isExpected || resolve(reason));
    }),
  };
};
