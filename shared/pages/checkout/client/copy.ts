import { type OpenPage, say } from './open-page.ts';

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
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    isCopied = copyByField(text);
    button.focus();
  }
  if (!isCopied) select(value);
  label.data = isCopied ? 'Copied' : 'Press and hold to copy';
  say(page, isCopied ? `Copied ${text}` : 'Press and hold to copy');
  setTimeout(() => {
    label.data = 'Copy';
  }, 3_000);
};
