import { PaymentsError } from '#shared/client/index.ts';
import type { ErrorDetail } from '#shared/client/types.ts';

/* Writes the errors of a form's fields, with the fields' labels instead of their API names. */

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (value: unknown): value is Control =>
  value instanceof HTMLInputElement || value instanceof HTMLSelectElement || value instanceof HTMLTextAreaElement;

const readLabel = (control: Element | null): string | undefined =>
  isControl(control) ? control.labels?.[0]?.textContent : undefined;

/** Replaces the API's field name at the beginning of a message with the label: `websites.1 must …` becomes `Websites, number 2, must …`. */
const replaceName = ({ field = '', message }: ErrorDetail, label: string | undefined): string => {
  if (label === undefined || !message.startsWith(`${field} `)) return message;
  const index = /\.(\d+)$/.exec(field)?.[1];
  return `${label}${index === undefined ? '' : `, number ${Number(index) + 1},`}${message.slice(field.length)}`;
};

/** Writes the error of a list's filter, with the filter's label instead of its API name. */
export const describeFilterError = (error: ErrorDetail): string =>
  replaceName(error, readLabel(document.getElementById(`filter-${error.field}`)));

/** Creates an error of a form's fields, for a submit handler to throw. */
export const createFieldError = (...errors: readonly ErrorDetail[]): PaymentsError =>
  new PaymentsError('Some fields are wrong.', { code: 'validation_failed', errors });

/** Describes the browser's complaint about a control. The form shows it instead of the browser's own bubble. */
const describeComplaint = (control: Control): string => {
  const { validity, type, validationMessage } = control;
  if (validity.valueMissing) return 'must be filled in.';
  if (validity.badInput) return 'must be a number.';
  if (validity.rangeUnderflow) return `must be at least ${control.getAttribute('min')}.`;
  if (validity.typeMismatch && type === 'email') return 'must be an e-mail address, such as ada@example.ng.';
  if (validity.typeMismatch) return 'must be a web address, such as https://shop.example.ng.';
  return validationMessage;
};

/** Checks a form with the browser's own checks. @throws PaymentsError with an error for each wrong field. */
export const checkForm = ({ elements }: HTMLFormElement): void => {
  const wrong = [...elements].filter(isControl).filter(({ validity }) => !validity.valid);
  if (wrong.length === 0) return;
  throw createFieldError(
    ...wrong.map((control) => {
      const complaint = describeComplaint(control);
      const message = complaint.startsWith('must ') ? `${control.name} ${complaint}` : complaint;
      return { field: control.name, message };
    }),
  );
};

/** Finds the control of an API field. An entry of a list, such as `websites.1`, belongs to the list's control. */
const findControl = ({ elements }: HTMLFormElement, field: string): Control | undefined => {
  const control = elements.namedItem(field) ?? elements.namedItem(field.replace(/\.\d+$/, ''));
  return isControl(control) ? control : undefined;
};

/** Errors by the place where they are shown. */
interface SortedErrors {
  /** Messages by the names of the controls. */
  readonly atFields: Readonly<Record<string, string>>;
  /** The error that belongs to no field of the form; undefined if there is none. */
  readonly elsewhere: unknown;
}

/** The field to which an API error belongs, for codes whose errors name no field. */
const FIELD_BY_CODE: Readonly<Record<string, string>> = {
  duplicate_merchant_reference: 'merchant_reference',
  wrong_code: 'code',
};

const listErrors = ({ errors, code, message }: PaymentsError): readonly ErrorDetail[] => {
  const field = FIELD_BY_CODE[code];
  return errors.length === 0 && field !== undefined ? [{ field, message }] : errors;
};

/** Separates the errors of a form's fields from the rest. */
export const sortErrors = (form: HTMLFormElement | null, error: unknown): SortedErrors => {
  if (!form || !(error instanceof PaymentsError)) return { atFields: {}, elsewhere: error };
  const atFields: Record<string, string> = {};
  const rest: ErrorDetail[] = [];
  for (const detail of listErrors(error)) {
    const control = detail.field === undefined ? undefined : findControl(form, detail.field);
    if (!control) rest.push(detail);
    else
      atFields[control.name] = [atFields[control.name], replaceName(detail, readLabel(control))]
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

/** Moves the focus to the first wrong field, and unfolds it if necessary. */
export const focusFirstWrong = (form: HTMLFormElement | null): void => {
  const first = form?.querySelector<HTMLElement>('[aria-invalid]');
  const folded = first?.closest('details');
  if (folded) folded.open = true;
  first?.focus();
};
