import type { Gsi1Family, Gsi2Family, TableFamily } from '#shared/adapters/dynamodb/table/families.ts';

/** What a function may do with the table, and on which key families; a query of an index names it. */
export type TableRights = {
  readonly [Action in
    | 'GetItem'
    | 'BatchGetItem'
    | 'Query'
    | 'PutItem'
    | 'UpdateItem'
    | 'DeleteItem'
    | 'ConditionCheckItem']?: readonly TableFamily[];
} & {
  readonly 'Query gsi1'?: readonly Gsi1Family[];
  readonly 'Query gsi2'?: readonly Gsi2Family[];
};
export type TableAction = keyof TableRights;

/** The table actions of a function, each with the key families that it may touch. */
export const rightsOf = ({ table }: { readonly table: TableRights }): [TableAction, readonly string[]][] =>
  Object.entries(table) as [TableAction, readonly string[]][];
