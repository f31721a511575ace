import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { PasskeyVerifier, SignedBy } from '#shared/members/ports.ts';

const TYPE = { type: 'public-key', clientExtensionResults: {} } as const;

const expectations = ({ site, challenge }: SignedBy) => ({
  expectedChallenge: challenge,
  expectedOrigin: site.origin,
  expectedRPID: site.host,
  requireUserVerification: true,
});

/** Returns undefined if the library throws. It throws for every fault of an answer. Such a fault is the sender's, so nothing is logged. */
const undefinedIfInvalid = async <T>(verify: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await verify();
  } catch {
    return undefined;
  }
};

/** Verifies passkeys with SimpleWebAuthn (WebAuthn Level 3, sections 7.1 and 7.2). */
export const passkeyVerifier: PasskeyVerifier = {
  verifyNew: ({ id, response }, by) =>
    undefinedIfInvalid(async () => {
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...TYPE, id, rawId: id, response },
        ...expectations(by),
      });
      if (!registrationInfo) return undefined;
      const { id: credentialId, publicKey, counter } = registrationInfo.credential;
      return { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), uses: counter };
    }),
  verifyUse: ({ id, response }, by, { credentialId, publicKey, uses }) =>
    undefinedIfInvalid(async () => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...TYPE, id, rawId: id, response },
        credential: {
          id: credentialId,
          publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
          counter: uses,
        },
        ...expectations(by),
      });
      return verified ? { uses: authenticationInfo.newCounter } : undefined;
    }),
};
