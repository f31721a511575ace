import * as z from 'zod/mini';
import { commonSettings, describeProvider } from '#shared/adapters/providers/common/description.ts';
import { needs } from '#shared/domain/customer-needs.ts';
import { someText, yesOrNo } from '#shared/domain/parts.ts';

/** A fourth provider, as a developer would describe it; fourth-provider.test.ts registers it. */
export const examplepayDescription = describeProvider({
  title: 'Examplepay',
  needs: { always: [], live: [needs('customer_phone'), needs('bvn', 'nin')] },
  settings: z.object({
    ...commonSettings('https://api.examplepay.example'),
    beneficiary: someText,
    playsBank: z._default(yesOrNo, false),
  }),
  credentials: z.object({ secretWord: someText }),
  secretHolds: 'a JSON object with secretWord',
  unfitForProd: ({ playsBank }) => (playsBank ? 'playsBank must be false in prod, since it moves no money' : undefined),
});
