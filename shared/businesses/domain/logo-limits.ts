/** The most bytes of a logo's file: 64 KiB. */
export const LOGO_BYTES = 65_536;
/** The least and the most pixels of a logo's side. */
export const LOGO_SIDE = { least: 16, most: 1_024 } as const;
