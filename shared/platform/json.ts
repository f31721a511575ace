/** Parses JSON; undefined if the text is not JSON. `reviver` as in `JSON.parse`. */
export const parseJson = (text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown => {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
};
