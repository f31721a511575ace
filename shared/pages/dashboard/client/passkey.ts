/* Passkeys in the browser, which parses and writes their JSON itself (WebAuthn Level 3, section 5.1). */

/** Whether this browser can make and use passkeys here. */
export const knowsPasskeys = (): boolean =>
  'PublicKeyCredential' in window &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** What an authenticator signed, as it is sent. */
export interface SignedCredential {
  readonly id: string;
  readonly response: object;
}

const toSignedCredential = async (request: Promise<Credential | null>): Promise<SignedCredential> => {
  try {
    const credential = await request;
    if (credential instanceof PublicKeyCredential) return credential.toJSON();
  } catch (error) {
    // The browser says the same for a dialog that was closed and for a passkey that is not there.
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'InvalidStateError') throw new Error('This device has a passkey for you already.');
  }
  throw new Error('No passkey was used. Try again, or use another way to sign in.');
};

/** Has the browser make a passkey. */
export const makePasskey = (options: PublicKeyCredentialCreationOptionsJSON): Promise<SignedCredential> =>
  toSignedCredential(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );

/** Has the browser use one. */
export const usePasskey = (options: PublicKeyCredentialRequestOptionsJSON): Promise<SignedCredential> =>
  toSignedCredential(
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
