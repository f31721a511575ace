import * as z from 'zod/mini';
import { commonSettings, describeProvider } from '#shared/adapters/providers/common/description.ts';
import { boolean, nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import { needs } from '#shared/domain/providers/customer-needs.ts';

/** A fourth provider, as a developer would describe it; fourth-provider.test.ts registers it. */
export const examplepayDescription = describeProvider({
  title: 'Examplepay',
  needs: { always: [], live: [needs('customer_phone'), needs('bvn', 'nin')] },
  takesRest: true,
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
