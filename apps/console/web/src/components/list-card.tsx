import type { ReactNode } from 'react';
import { useSearch } from '../router/navigation';
import { Select, TextField } from './fields';
import styles from './filters.module.css';
import { Card } from './page';
import { Empty } from './states';
import { PagedTable, type PagedTableProps } from './table';

type Options = readonly (readonly [value: string, label: string])[];

/** A field above a list that decides what it shows. Its value stands in the address. */
export interface Filter {
  name: string;
  label: string;
  /** A choice of these; without them it is a text. */
  options?: Options;
  placeholder?: string;
  /** Of a text that may hold several words. */
  keepsSpaces?: boolean;
}

/** A choice of one of the values, or of none. */
export const anyOf = (values: readonly string[]): Options => [['', 'Any'], ...values.map((one) => [one, one] as const)];

/** The values of filters; empty where one is not set. */
export function useFilterValues<Name extends string>(...names: readonly Name[]): Record<Name, string> {
  const [search] = useSearch();
  return Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<Name, string>;
}

function FilterField({ name, label, options, placeholder, keepsSpaces = false }: Filter) {
  const [search, setSearch] = useSearch();
  const onChange = (value: string) => setSearch({ [name]: keepsSpaces ? value : value.trim() });
  const field = { label, value: search.get(name) ?? '', onChange };
  return options ? (
    <Select {...field} options={options} />
  ) : (
    <TextField {...field} {...(placeholder && { placeholder })} />
  );
}

const NO_MATCH = ['Nothing matches the filters', 'Change or clear them.'] as const;

interface ListCardProps<Item> extends Omit<PagedTableProps<Item>, 'empty'> {
  title?: string;
  actions?: ReactNode;
  filters?: readonly Filter[];
  /** Why there is nothing where no filter is set, and what to do about it. */
  empty: readonly [title: string, text?: string];
  /** Beside the filters. */
  children?: ReactNode;
}

/** A list with its filters. */
export function ListCard<Item>({ title, actions, filters = [], empty, children, ...table }: ListCardProps<Item>) {
  const [search] = useSearch();
  const isFiltered = filters.some(({ name }) => (search.get(name) ?? '') !== '');
  const [reason, text] = isFiltered ? NO_MATCH : empty;
  return (
    <Card {...(title !== undefined && { title })} actions={actions} isFlush>
      {(filters.length > 0 || children) && (
        <div className={styles['filters']}>
          {filters.map((filter) => (
            <FilterField key={filter.name} {...filter} />
          ))}
          {children}
        </div>
      )}
      <PagedTable {...table} empty={<Empty title={reason}>{text}</Empty>} />
    </Card>
  );
}
