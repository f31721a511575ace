/** A logo's file has at most so many bytes: 64 kB, which is 64 KiB. */
export const LOGO_BYTES = 65_536;
/** A side of a logo has so many pixels. */
export const LOGO_SIDE = { least: 16, most: 1_024 } as const;
