/* Creates and uses passkeys. The browser parses and writes their JSON (WebAuthn Level 3, section 5.1). */

/** Whether this browser can create and use passkeys here. */
export const knowsPasskeys = (): boolean =>
  'PublicKeyCredential' in window &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** The authenticator's answer, in the form in which it is sent. */
export interface SignedCredential {
  readonly id: string;
  readonly response: object;
}

const toSignedCredential = async (request: Promise<Credential | null>): Promise<SignedCredential> => {
  try {
    const credential = await request;
    if (credential instanceof PublicKeyCredential) return credential.toJSON();
  } catch (error) {
    // The browser throws the same error if the user closed the dialog, and if there is no passkey.
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'InvalidStateError') throw new Error('This device already has a passkey for you.');
  }
  throw new Error('No passkey was used. Try again, or use another way to sign in.');
};

/** Creates a passkey. */
export const makePasskey = (options: PublicKeyCredentialCreationOptionsJSON): Promise<SignedCredential> =>
  toSignedCredential(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );

/** Uses a passkey. */
export const usePasskey = (options: PublicKeyCredentialRequestOptionsJSON): Promise<SignedCredential> =>
  toSignedCredential(
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
