/* Runs before anything is drawn: a reader's own choice of light or dark, where there is one. */
try {
  const theme = localStorage.getItem('docs-theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be forbidden; the system's choice holds then.
}
