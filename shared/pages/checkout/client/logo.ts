/** Removes a logo that does not load: it would leave a white field beside the name. */
export const dropBrokenLogo = (): void => {
  const logo = document.querySelector<HTMLImageElement>('.logo');
  if (!logo) return;
  // The logo may have failed to load before this script ran.
  if (logo.complete && logo.naturalWidth === 0) logo.remove();
  else logo.addEventListener('error', () => logo.remove());
};
