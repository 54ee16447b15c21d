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

/** A page of a list, with the words that ask for the next one. */
export function describePage<Row extends object>(
  page: { data: Row[]; next_cursor: string | null },
  columns: readonly (keyof Row & string)[],
): Report {
  const table = formatTable(page.data, columns);
  return {
    value: page,
    text: page.next_cursor === null ? table : `${table}\nOlder ones: --cursor ${page.next_cursor}`,
  };
}

export function tabulate<Row extends object>(list: { data: Row[] }, columns: readonly (keyof Row & string)[]): Report {
  return { value: list, text: formatTable(list.data, columns) };
}
