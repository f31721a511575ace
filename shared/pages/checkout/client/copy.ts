import { announce, type OpenPage } from './open-page.ts';

const select = (element: Element): void => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
};

/** Copies as browsers did before they had a clipboard for scripts. */
const copyByField = (text: string): boolean => {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
};

/** Copies the value of a button; where no way of copying is allowed, marks it and says how. */
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
  // All details are many lines: they are on the page.
  announce(page, isCopied ? `Copied ${text.includes('\n') ? 'all details' : text}` : label.data);
  setTimeout(() => {
    label.data = button.dataset.label as string;
  }, 3_000);
};

/** Hands the details that the button before this one copies to another app. The payer may think better of it. */
export const shareDetails = (button: HTMLElement): void => {
  const { copy = '' } = (button.previousElementSibling as HTMLElement).dataset;
  navigator.share({ text: copy }).catch(() => {});
};
