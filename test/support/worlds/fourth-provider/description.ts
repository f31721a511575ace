import * as z from 'zod/mini';
import { boolean, nonEmptyString } from '#shared/platform/kernel/schemas.ts';
import { commonSettings, describeProvider } from '#shared/providers/common/description.ts';
import { needs } from '#shared/providers/domain/customer-needs.ts';

/** Describes a fourth provider as a developer would. fourth-provider.test.ts registers it. */
export const examplepayDescription = describeProvider({
  title: 'Examplepay',
  needs: { always: [], live: [needs('customer_phone'), needs('bvn', 'nin')] },
  acceptsRest: true,
  settings: z.object({
    ...commonSettings('https://api.examplepay.example'),
    beneficiary: nonEmptyString,
    playsBank: z._default(boolean, false),
  }),
  credentials: z.object({ secretWord: nonEmptyString }),
  credentialsDescription: 'a JSON object with secretWord',
  prodObjection: ({ playsBank }) =>
    playsBank ? 'playsBank must be false in prod, since it moves no money' : undefined,
});
