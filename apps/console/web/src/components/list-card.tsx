import { type ReactNode, useId, useState } from 'react';
import { useSearch } from '../router/navigation';
import { Button } from './button';
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
  type?: 'date';
  /** Of a text that may hold several words. */
  keepsSpaces?: boolean;
  /** A field of its own, such as one that finds what is typed. */
  picker?: (field: Picker) => ReactNode;
}

export interface Picker {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A choice of one of the values, or of none. */
export const anyOf = (values: readonly string[]): Options => [['', 'Any'], ...values.map((one) => [one, one] as const)];

/** The values of filters; empty where one is not set. */
export function useFilterValues<Name extends string>(...names: readonly Name[]): Record<Name, string> {
  const [search] = useSearch();
  return Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<Name, string>;
}

function FilterField({ name, options, keepsSpaces = false, picker: Picker, ...rest }: Filter) {
  const [search, setSearch] = useSearch();
  const onChange = (value: string) => setSearch({ [name]: keepsSpaces ? value : value.trim() });
  const field = { ...rest, value: search.get(name) ?? '', onChange };
  if (Picker) return <Picker {...field} />;
  return options ? <Select {...field} options={options} /> : <TextField {...field} />;
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

/** Few enough to stay open on a narrow screen. */
const ALWAYS_OPEN = 2;

/** On a narrow screen they are folded behind a button, unless one is set. */
function Filters({ filters, isOpen, children }: { filters: readonly Filter[]; isOpen: boolean; children: ReactNode }) {
  const id = useId();
  const [isUnfolded, setUnfolded] = useState(isOpen);
  const isFoldable = filters.length > ALWAYS_OPEN;
  return (
    <div className={styles['filters']}>
      {isFoldable && (
        <div className={styles['fold']}>
          <Button aria-expanded={isUnfolded} aria-controls={id} onClick={() => setUnfolded(!isUnfolded)}>
            Filters
          </Button>
        </div>
      )}
      <div id={id} className={styles[isFoldable && !isUnfolded ? 'folded' : 'unfolded']}>
        {filters.map((filter) => (
          <FilterField key={filter.name} {...filter} />
        ))}
      </div>
      {children}
    </div>
  );
}

/** A list with its filters. */
export function ListCard<Item>({ title, actions, filters = [], empty, children, ...table }: ListCardProps<Item>) {
  const [search] = useSearch();
  const isFiltered = filters.some(({ name }) => (search.get(name) ?? '') !== '');
  const [reason, text] = isFiltered ? NO_MATCH : empty;
  return (
    <Card {...(title !== undefined && { title })} actions={actions} isFlush>
      {(filters.length > 0 || children) && (
        <Filters filters={filters} isOpen={isFiltered}>
          {children}
        </Filters>
      )}
      <PagedTable {...table} empty={<Empty title={reason}>{text}</Empty>} />
    </Card>
  );
}
