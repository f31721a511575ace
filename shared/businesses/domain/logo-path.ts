import type { Logo } from './profile.ts';

/** Returns the path under which a logo is served. */
export const logoPath = ({ id }: Pick<Logo, 'id'>): string => `/logos/${id}`;
