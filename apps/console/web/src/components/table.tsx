import type { ReactNode } from 'react';
import type { Pages } from '../api/pages';
import { Button } from './button';
import { Empty, Failure, Loading } from './states';
import { Money } from './values';
import styles from './table.module.css';

export interface Column<Item> {
  name: string;
  cell: (item: Item) => ReactNode;
  /** Right-aligned, with figures of one width. */
  isNumber?: boolean;
  /** Left out on a narrow screen. */
  isExtra?: boolean;
  /** The name is for screen readers only, as above buttons. */
  isNameless?: boolean;
}

/** A column of buttons. */
export const actions = <Item,>(cell: Column<Item>['cell']): Column<Item> => {
  return { name: 'Actions', isNameless: true, isNumber: true, cell };
};

interface MoneyOptions {
  isExtra?: boolean;
  /** Of changes. */
  sign?: boolean;
}

/** A column of amounts of money. */
export const money = <Item,>(
  name: string,
  microsOf: (item: Item) => number,
  { sign = false, ...options }: MoneyOptions = {},
): Column<Item> => ({
  name,
  cell: (item) => <Money micros={microsOf(item)} sign={sign} />,
  isNumber: true,
  ...options,
});

interface TableProps<Item> {
  caption: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
  isBusy?: boolean;
  /** In place of a table without a row. */
  empty?: string;
}

function classOf<Item>({ isNumber, isExtra }: Column<Item>): string {
  return [isNumber ? styles['number'] : '', isExtra ? styles['extra'] : ''].join(' ').trim();
}

/** A table that scrolls sideways by itself, also with the keyboard, where the screen is too narrow for it. */
export function Table<Item>({ caption, columns, items, keyOf, isBusy = false, empty }: TableProps<Item>) {
  if (empty !== undefined && items.length === 0) return <Empty title={empty} />;
  return (
    <div className={styles['scroll']} role="group" aria-label={caption} tabIndex={0} aria-busy={isBusy || undefined}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={classOf(column)}>
                {column.isNameless ? <span className="visually-hidden">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column) => (
                <td key={column.name} className={classOf(column)}>
                  {column.cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export interface PagedTableProps<Item> extends Omit<TableProps<Item>, 'items' | 'isBusy' | 'empty'> {
  pages: Pages<Item>;
  empty: ReactNode;
  /** In place of the table. */
  view?: ((items: readonly Item[]) => ReactNode) | undefined;
}

/** A page reads a part of a long list only. */
const NO_MATCH_YET = <Empty title="Nothing matches on this page">Older ones are on the next page.</Empty>;

/** One page of a list, and the buttons for the pages around it. */
export function PagedTable<Item>({ pages, empty, view, ...table }: PagedTableProps<Item>) {
  const failure = pages.error ? (
    <div className={styles['state']}>
      <Failure error={pages.error} retry={pages.refetch} />
    </div>
  ) : null;
  if (failure && pages.items.length === 0) return failure;
  if (pages.isPending) return <Loading label={table.caption} />;
  return (
    <>
      {failure}
      {pages.items.length > 0 &&
        (view?.(pages.items) ?? <Table {...table} items={pages.items} isBusy={pages.isFetching} />)}
      {pages.items.length === 0 && (pages.hasNext ? NO_MATCH_YET : empty)}
      {(pages.hasPrevious || pages.hasNext) && <Pager pages={pages} />}
    </>
  );
}

function Pager({ pages }: { pages: Pages<unknown> }) {
  return (
    <div className={styles['pager']}>
      <span aria-live="polite">Page {pages.number}</span>
      <Button icon="left" disabled={!pages.hasPrevious} onClick={pages.previous}>
        Newer
      </Button>
      <Button disabled={!pages.hasNext} onClick={pages.next}>
        Older
      </Button>
    </div>
  );
}
