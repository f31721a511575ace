import type { Logo } from './profile.ts';

/** Where a logo is served, below our own address. */
export const logoPath = ({ id }: Pick<Logo, 'id'>): string => `/logos/${id}`;
