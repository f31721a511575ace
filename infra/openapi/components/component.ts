import type * as z from 'zod/mini';

/** A schema of the contract with its name in the document, and a description of the schema and of each field. */
export interface Component {
  readonly id: string;
  readonly schema: z.ZodMiniObject;
  readonly description: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Makes a component. A field without a description, or a description without a field, fails the type check. */
export const component = <S extends z.ZodMiniObject>(
  schema: S,
  id: string,
  description: string,
  fields: Readonly<Record<keyof z.infer<S>, string>>,
): Component => ({ id, schema, description, fields: fields as Readonly<Record<string, string>> });

/** The description of `provider` in objects that are or have an account. */
export const ISSUING_PROVIDER = 'The provider that issued the account.';

/** The description of `bank_code`. */
export const BANK_CODE = 'The bank’s code; null if the provider does not report it, and always null in test mode.';

/** The description of `metadata` in answers. */
export const METADATA = 'The data that you attached when you created it, with the members and values that you sent.';
