const REFERENCE = /"reference":"(PAY-[0-9A-Z]+)"/;

/** The reference of the checkout that a webhook is about; empty when it is about none. */
export const referenceIn = (body: string): string => REFERENCE.exec(body)?.[1] ?? '';
