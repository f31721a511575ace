import type { Author } from '#shared/domain/businesses/member-change.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';

/** The member who calls an endpoint that takes no key. @throws Error where there is none. */
export const authorOf = ({ author }: { readonly author: Author | undefined }): Author => {
  if (author) return author;
  throw new Error('No key may call this endpoint.');
};

/** Runs what operators and members may do. @throws the refusal not_possible in place of an OperatorError, with its sentence. */
export const asMember = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperatorError) throw new Refusal('not_possible', { message: error.message });
    throw error;
  }
};
