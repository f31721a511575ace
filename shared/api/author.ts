import type { Author } from '#shared/businesses/domain/member-change.ts';

/** Returns the member who calls an endpoint that takes no key. @throws Error if there is none. */
export const requireAuthor = ({ author }: { readonly author: Author | undefined }): Author => {
  if (author) return author;
  throw new Error('No key may call this endpoint.');
};
