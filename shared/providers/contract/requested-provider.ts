import * as z from 'zod/mini';
import { providerName } from '#shared/providers/domain/provider.ts';

const known = providerName.options.join(', ');

/** A provider's name in a request. The refusal of an unknown one lists the known ones. */
export const requestedProvider = z.pipe(
  z.string(`must be one of ${known}.`).check(
    z.maxLength(40, { error: `must be one of ${known}.`, abort: true }),
    z.superRefine((value, context) => {
      if (providerName.safeParse(value).success) return;
      context.addIssue({ code: 'custom', message: `must be one of ${known}, not ${JSON.stringify(value)}.` });
    }),
  ),
  z.transform((value) => providerName.parse(value)),
);
