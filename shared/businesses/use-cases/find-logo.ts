import type { StoredLogo } from '#shared/businesses/domain/stored-logo.ts';
import type { LogoReader } from '#shared/businesses/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';

export interface FindLogoDeps {
  readonly logos: LogoReader;
}

/** Finds a logo by its id. @throws ApiError `not_found`, also if its business has another logo now. */
export const findLogo = async ({ logos }: FindLogoDeps, id: string): Promise<StoredLogo> => {
  const logo = await logos.find(id);
  if (!logo) throw new ApiError('not_found');
  return logo;
};
