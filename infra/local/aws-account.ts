/** The AWS region in the names of local resources. */
export const REGION = 'us-east-1';
/** The AWS account in the names of local resources. */
export const ACCOUNT = '000000000000';
