import type { ProviderSimulator } from '#shared/providers/common/simulator/provider.ts';
import { KORAPAY_DEFAULT, type KorapayPreference } from './preference.ts';
import { playKorapay } from './provider.ts';
import { KORAPAY_TRIAL } from './tried.ts';

const credentials = { secretKey: 'sk_test_simulator_of_korapay' };

export const korapaySimulator = {
  path: '/merchant/api/v1',
  numberPrefix: '77',
  credentials,
  settings: {},
  preference: KORAPAY_DEFAULT,
  trial: KORAPAY_TRIAL,
  play: (parts) => playKorapay(parts, credentials.secretKey),
} satisfies ProviderSimulator<KorapayPreference>;
