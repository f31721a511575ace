/**
 * Stands for the address that the document, the page and their samples are served from. The page is compressed at build time, so
 * without its script a reader sees this name, which says what to put there.
 */
export const SERVER_PLACEHOLDER = 'https://address-of-this-page.invalid';
