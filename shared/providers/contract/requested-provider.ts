import * as z from 'zod/mini';
import { providerName } from '#shared/providers/domain/provider.ts';

const providerNames = providerName.options.join(', ');

/** A provider's name in a request. The error about an unknown name lists the known ones. */
export const requestedProvider = z.pipe(
  z.string(`must be one of ${providerNames}.`).check(
    z.maxLength(40, { error: `must be one of ${providerNames}.`, abort: true }),
    z.superRefine((value, context) => {
      if (providerName.safeParse(value).success) return;
      context.addIssue({ code: 'custom', message: `must be one of ${providerNames}, not ${JSON.stringify(value)}.` });
    }),
  ),
  z.transform((value) => providerName.parse(value)),
);
