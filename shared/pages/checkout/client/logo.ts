/** Takes away a logo that does not load, which would leave a white field beside the name. */
export const dropBrokenLogo = (): void => {
  const logo = document.querySelector<HTMLImageElement>('.logo');
  if (!logo) return;
  // It may have failed before this ran.
  if (logo.complete && logo.naturalWidth === 0) logo.remove();
  else logo.addEventListener('error', () => logo.remove());
};
