/* Computes the contrast of two colours, each `#rrggbb`, as WCAG 2.2 defines it. */

/** The colour of a business that has not set one. */
export const DEFAULT_BRAND = '#0b6b4f';

/** Returns the linear value of an sRGB channel (0 to 255). */
const toLinear = (channel: number): number => {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

const computeLuminance = (color: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => toLinear(Number.parseInt(color.slice(at, at + 2), 16))) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Computes the contrast of two colours: from 1 for the same colour to 21 for black and white. Text needs 4.5, a control's edge 3. */
export const contrast = (color: string, other: string): number => {
  const [darker, lighter] = [computeLuminance(color), computeLuminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
};

/** Chooses white or black for text on a background, whichever has more contrast. The contrast is at least 4.58 on any colour. */
export const textOn = (background: string): '#ffffff' | '#000000' =>
  contrast(background, '#ffffff') >= contrast(background, '#000000') ? '#ffffff' : '#000000';
