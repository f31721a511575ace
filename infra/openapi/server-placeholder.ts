/** Stands for the address that the document, the pages and their samples are served from, which the server puts there. */
export const SERVER_PLACEHOLDER = 'https://address-of-this-page.invalid';

/** Stands for whom integrators contact: a setting of the stage. */
export const CONTACT_PLACEHOLDER = 'contact-of-this-stage.invalid';

/** The texts that stand for the called address and for whom to contact. */
export interface Placeholders {
  readonly server: string;
  readonly contact: string;
}

/** The placeholders of prose. */
export const PLACEHOLDERS: Placeholders = { server: SERVER_PLACEHOLDER, contact: CONTACT_PLACEHOLDER };
