/* Passkeys in the browser, which parses and writes their JSON itself (WebAuthn Level 3, section 5.1). */

/** Whether this browser can make and use passkeys here. */
export const knowsPasskeys = (): boolean =>
  'PublicKeyCredential' in window &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** What an authenticator signed, as it is sent. */
export interface Signed {
  readonly id: string;
  readonly response: object;
}

const signedBy = async (asked: Promise<Credential | null>): Promise<Signed> => {
  try {
    const credential = await asked;
    if (credential instanceof PublicKeyCredential) return credential.toJSON();
  } catch (error) {
    // The browser says the same for a dialog that was closed and for a passkey that is not there.
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'InvalidStateError') throw new Error('This device has a passkey for you already.');
  }
  throw new Error('No passkey was used. Try again, or use another way to sign in.');
};

/** Has the browser make a passkey. */
export const makePasskey = (options: PublicKeyCredentialCreationOptionsJSON): Promise<Signed> =>
  signedBy(navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }));

/** Has the browser use one. */
export const usePasskey = (options: PublicKeyCredentialRequestOptionsJSON): Promise<Signed> =>
  signedBy(navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));
