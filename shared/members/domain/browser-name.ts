type Names = readonly (readonly [RegExp, string])[];

/** Several browsers also name those that they descend from, so the first that fits counts. */
const BROWSERS: Names = [
  [/Edg/, 'Edge'],
  [/OPR|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrom|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
];
const SYSTEMS: Names = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
];

const nameIn = (text: string, names: Names): string | undefined => names.find(([pattern]) => pattern.test(text))?.[1];

/**
 * The name of a browser and its system, out of what it calls itself. Anybody may write that header, and the name stands in our mail: it is made
 * of the names of this list, and never of the header.
 */
export const browserName = (userAgent: string): string => {
  const system = nameIn(userAgent, SYSTEMS);
  return `${nameIn(userAgent, BROWSERS) ?? 'a browser'}${system === undefined ? '' : ` on ${system}`}`;
};
