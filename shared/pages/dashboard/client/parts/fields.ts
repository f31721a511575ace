import { PaymentsError } from '#shared/client/index.ts';
import type { ErrorDetail } from '#shared/client/types.ts';

/* What is wrong with the fields of a form, in the words of their labels. */

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (value: unknown): value is Control =>
  value instanceof HTMLInputElement || value instanceof HTMLSelectElement || value instanceof HTMLTextAreaElement;

const readLabel = (control: Element | null): string | undefined =>
  isControl(control) ? control.labels?.[0]?.textContent : undefined;

/** A sentence that names a field as the API does, which begins with its label instead: `websites.1 must be …` is about the second line. */
const withLabel = ({ field = '', message }: ErrorDetail, label: string | undefined): string => {
  if (label === undefined || !message.startsWith(`${field} `)) return message;
  const line = /\.(\d+)$/.exec(field)?.[1];
  return `${label}${line === undefined ? '' : `, number ${Number(line) + 1},`}${message.slice(field.length)}`;
};

/** The same for a filter of a list, which has its place outside the list. */
export const withFilterLabel = (error: ErrorDetail): string =>
  withLabel(error, readLabel(document.getElementById(`filter-${error.field}`)));

/** An error of the fields of a form, to be thrown by what it submits. */
export const wrongFields = (...errors: readonly ErrorDetail[]): PaymentsError =>
  new PaymentsError('Some fields are wrong.', { code: 'validation_failed', errors });

/** What the browser finds wrong with a control; it would say so itself in a bubble of its own. */
const describeComplaint = (control: Control): string => {
  const { validity, type, validationMessage } = control;
  if (validity.valueMissing) return 'must be filled in.';
  if (validity.badInput) return 'must be a number.';
  if (validity.rangeUnderflow) return `must be at least ${control.getAttribute('min')}.`;
  if (validity.typeMismatch && type === 'email') return 'must be an e-mail address, such as ada@example.ng.';
  if (validity.typeMismatch) return 'must be a web address, such as https://shop.example.ng.';
  return validationMessage;
};

/** Checks what a browser can check. @throws what is wrong with the fields of a form. */
export const checkForm = ({ elements }: HTMLFormElement): void => {
  const wrong = [...elements].filter(isControl).filter(({ validity }) => !validity.valid);
  if (wrong.length === 0) return;
  throw wrongFields(
    ...wrong.map((control) => {
      const complaint = describeComplaint(control);
      const message = complaint.startsWith('must ') ? `${control.name} ${complaint}` : complaint;
      return { field: control.name, message };
    }),
  );
};

/** The control of a field of the API; an entry of a list belongs to the control of the list. */
const findControl = ({ elements }: HTMLFormElement, field: string): Control | undefined => {
  const control = elements.namedItem(field) ?? elements.namedItem(field.replace(/\.\d+$/, ''));
  return isControl(control) ? control : undefined;
};

/** What went wrong, sorted by where it is shown. */
interface SortedErrors {
  /** By the names of the controls. */
  readonly atFields: Readonly<Record<string, string>>;
  /** What belongs to no field of the form; undefined for nothing. */
  readonly elsewhere: unknown;
}

/** The field that a refusal is about which names none. */
const FIELD_BY_CODE: Readonly<Record<string, string>> = {
  duplicate_merchant_reference: 'merchant_reference',
  wrong_code: 'code',
};

const listErrors = ({ errors, code, message }: PaymentsError): readonly ErrorDetail[] => {
  const field = FIELD_BY_CODE[code];
  return errors.length === 0 && field !== undefined ? [{ field, message }] : errors;
};

/** Sorts what went wrong: to the fields of a form, and the rest. */
export const sortErrors = (form: HTMLFormElement | null, error: unknown): SortedErrors => {
  if (!form || !(error instanceof PaymentsError)) return { atFields: {}, elsewhere: error };
  const atFields: Record<string, string> = {};
  const rest: ErrorDetail[] = [];
  for (const detail of listErrors(error)) {
    const control = detail.field === undefined ? undefined : findControl(form, detail.field);
    if (!control) rest.push(detail);
    else
      atFields[control.name] = [atFields[control.name], withLabel(detail, readLabel(control))]
        .filter(Boolean)
        .join(' ');
  }
  if (Object.keys(atFields).length === 0) return { atFields, elsewhere: error };
  const { message, code, requestId } = error;
  return {
    atFields,
    elsewhere: rest.length > 0 ? new PaymentsError(message, { code, requestId, errors: rest }) : undefined,
  };
};

/** Brings the keyboard to the first field that is wrong, also where it is folded away. */
export const focusFirstWrong = (form: HTMLFormElement | null): void => {
  const first = form?.querySelector<HTMLElement>('[aria-invalid]');
  const folded = first?.closest('details');
  if (folded) folded.open = true;
  first?.focus();
};
