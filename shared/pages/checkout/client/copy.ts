import { announce, type OpenPage } from './open-page.ts';

const select = (element: Element): void => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
};

/** Copies by a text field, for browsers without the clipboard API. */
const copyByField = (text: string): boolean => {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
};

/** Copies a button's value. If the browser allows no copying, selects the value and says how to copy it. */
export const copyValue = async (page: OpenPage, button: HTMLElement): Promise<void> => {
  const value = document.querySelector(`#${button.dataset.of}`) as HTMLElement;
  const label = button.firstChild as Text;
  const text = button.dataset.copy as string;
  button.dataset.label ??= label.data;
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    isCopied = copyByField(text);
    button.focus();
  }
  if (!isCopied) select(value);
  label.data = isCopied ? 'Copied' : 'Press and hold to copy';
  // If the payer copies all details, a screen reader does not read them out: they are many lines, and the page shows them.
  announce(page, isCopied ? `Copied ${text.includes('\n') ? 'all details' : text}` : label.data);
  setTimeout(() => {
    label.data = button.dataset.label as string;
  }, 3_000);
};

/** Shares a text with another app. It is the text that the button before this one copies. */
export const shareDetails = (button: HTMLElement): void => {
  const { copy = '' } = (button.previousElementSibling as HTMLElement).dataset;
  // The payer may cancel.
  navigator.share({ text: copy }).catch(() => {});
};
