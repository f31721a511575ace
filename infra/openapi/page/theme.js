/* Applies the reader's choice of light or dark before anything is drawn. */
try {
  const theme = localStorage.getItem('docs-theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // If storage is forbidden, the choice of the system applies.
}
