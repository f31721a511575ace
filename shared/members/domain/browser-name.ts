type Names = readonly (readonly [RegExp, string])[];

/** Several browsers also name the browsers that they descend from, so the first match counts. */
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

const findName = (text: string, names: Names): string | undefined => names.find(([pattern]) => pattern.test(text))?.[1];

/**
 * Names a browser and its system from its User-Agent header. Anybody may write that header, and the name stands in our mails. So the name is
 * made of this file's names, and never of the header's text.
 */
export const browserName = (userAgent: string): string => {
  const system = findName(userAgent, SYSTEMS);
  return `${findName(userAgent, BROWSERS) ?? 'a browser'}${system === undefined ? '' : ` on ${system}`}`;
};
