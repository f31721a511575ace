const PHONE = /^\+[1-9]\d{7,14}$/;
const NIGERIAN = /^\+234/;
/** A Nigerian number: ten digits after the prefix, without the 0 that is dialled within the country. */
const NIGERIAN_PHONE = /^\+234[1-9]\d{9}$/;

/** Checks whether a text is a phone number in international form: `+` and 8 to 15 digits (E.164); for Nigeria exactly ten after the prefix. */
export const isPhoneNumber = (text: string): boolean =>
  NIGERIAN.test(text) ? NIGERIAN_PHONE.test(text) : PHONE.test(text);
