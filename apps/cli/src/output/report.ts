import type { PartialList } from '@kinora/contracts/shared/page';
import { formatFields } from './format-fields';
import { formatTable } from './format-table';

/** The output of a command: for programs (`--json`) and as text. */
export interface Report {
  value: unknown;
  text: string;
  /** The command worked and found a problem: the exit code is 1. */
  failed?: boolean;
}

export function describe(record: object): Report {
  return { value: record, text: formatFields(record) };
}

/** The text of a list with more pages ends with the flag that reads the next page. */
export function tabulate<Row extends object>(page: PartialList<Row>, columns: readonly (keyof Row & string)[]): Report {
  const table = formatTable(page.data, columns);
  return {
    value: page,
    text: (page.next_cursor ?? null) === null ? table : `${table}\nMore: --cursor ${page.next_cursor}`,
  };
}
