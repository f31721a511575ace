/** Lets the browser save the parts of a CSV text as a file. */
export const saveCsv = (parts: readonly string[], name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...parts], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
