/** Stands for the address that the document, the page and their samples are served from. */
export const SERVER_PLACEHOLDER = 'https://payments.invalid';
