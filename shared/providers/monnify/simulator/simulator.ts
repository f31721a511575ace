import type { ProviderSimulator } from '#shared/providers/common/simulator/provider.ts';
import { MONNIFY_DEFAULT, type MonnifyPreference } from './preferences.ts';
import { playMonnify } from './provider.ts';
import { MONNIFY_TRIAL } from './tried.ts';

const credentials = { apiKey: 'MK_TEST_SIMULATOR', secretKey: 'SIMULATORMONNIFYSECRET' };
const settings = { contractCode: '4934121686' };

export const monnifySimulator = {
  path: '',
  numberPrefix: '22',
  credentials,
  settings,
  preference: MONNIFY_DEFAULT,
  loginPath: '/api/v1/auth/login',
  trial: MONNIFY_TRIAL,
  play: (parts) => playMonnify(parts, { ...credentials, ...settings }),
} satisfies ProviderSimulator<MonnifyPreference>;
