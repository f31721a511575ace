import type { StoredLogo } from '#shared/businesses/domain/stored-logo.ts';
import type { LogoReader } from '#shared/businesses/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';

export interface FindLogoDeps {
  readonly logos: LogoReader;
}

/** A logo by its id, for anybody who was shown it. @throws the refusal not_found, also once its business has another. */
export const findLogo = async ({ logos }: FindLogoDeps, id: string): Promise<StoredLogo> => {
  const logo = await logos.find(id);
  if (!logo) throw new ApiError('not_found');
  return logo;
};
