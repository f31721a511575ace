/** Stands for the address that the document, the pages and their samples are served from, which the server puts there. */
export const SERVER_PLACEHOLDER = 'https://address-of-this-page.invalid';

/** Stands for whom integrators contact: a setting of the stage. */
export const CONTACT_PLACEHOLDER = 'contact-of-this-stage.invalid';

/** What every published text may name. */
export const PLACEHOLDERS = { server: SERVER_PLACEHOLDER, contact: CONTACT_PLACEHOLDER } as const;
