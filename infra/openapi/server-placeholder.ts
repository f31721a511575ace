/** Stands for the address of the service. The server replaces it when it serves the document, the pages and the samples. */
export const SERVER_PLACEHOLDER = 'https://address-of-this-page.invalid';

/** Stands for the contact of integrators, which is a setting of the stage. */
export const CONTACT_PLACEHOLDER = 'contact-of-this-stage.invalid';

/** The texts that stand for the called address and for the contact. */
export interface Placeholders {
  readonly server: string;
  readonly contact: string;
}

/** The placeholders as most texts contain them. The API document contains the contact in another form. */
export const PLACEHOLDERS: Placeholders = { server: SERVER_PLACEHOLDER, contact: CONTACT_PLACEHOLDER };
