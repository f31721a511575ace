/** The AWS region that the stack pretends to be in. */
export const REGION = 'us-east-1';
/** The AWS account that the local emulators and the local gateway use in their names. */
export const ACCOUNT = '000000000000';
