import * as z from 'zod/mini';
import { providerName } from '#shared/domain/providers/provider.ts';

/** A provider's name in a request. The refusal of an unknown one lists the known ones. */
export const requestedProvider = z.pipe(
  z.string('must be a provider identifier.').check(
    z.maxLength(40, { error: 'must be a provider identifier.', abort: true }),
    z.superRefine((value, context) => {
      if (providerName.safeParse(value).success) return;
      const known = providerName.options.join(', ');
      context.addIssue({ code: 'custom', message: `must be one of ${known}, not ${JSON.stringify(value)}.` });
    }),
  ),
  z.transform((value) => providerName.parse(value)),
);
