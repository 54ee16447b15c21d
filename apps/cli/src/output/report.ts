import { formatFields } from './format-fields';
import { formatTable } from './format-table';

/** What a command has to say: to programs (`--json`) and to people. */
export interface Report {
  value: unknown;
  text: string;
  /** The command worked and found something wrong: the exit code is 1. */
  failed?: boolean;
}

export function describe(record: object): Report {
  return { value: record, text: formatFields(record) };
}

export function tabulate<Row extends object>(list: { data: Row[] }, columns: readonly (keyof Row & string)[]): Report {
  return { value: list, text: formatTable(list.data, columns) };
}
