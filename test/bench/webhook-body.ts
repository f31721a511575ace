const REFERENCE = /"reference":"(PAY-[0-9A-Z]+)"/;

/** Reads the reference of the webhook's checkout, or an empty string if it has none. */
export const readReference = (body: string): string => REFERENCE.exec(body)?.[1] ?? '';
