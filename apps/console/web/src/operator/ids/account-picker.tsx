import { useId } from 'react';
import { type AccountSummary, OPERATOR } from '../../api/operator';
import { type Page as ListPage, useGet, useSettled } from '../../api/pages';
import { TextField } from '../../components/fields';
import type { Filter, Picker } from '../../components/list-card';
import { queryString } from '../../formatting/format';
import { useAccountName } from './account-name';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SHOWN = 10;
const NONE: readonly AccountSummary[] = [];

/** The account that is picked; null while something is typed. */
export const pickedAccount = (text: string) => (UUID.test(text) ? text : null);

/** The accounts that a text finds by name, id or key; undefined until they are known. */
export function useFoundAccounts(text: string): readonly AccountSummary[] | undefined {
  const search = useSettled(text);
  const path = `${OPERATOR}/accounts${queryString({ search, limit: SHOWN })}`;
  const found = useGet<ListPage<AccountSummary>>(['accounts-found', search], path, { enabled: search !== '' });
  if (text === '') return NONE;
  return search === text ? (found.error ? NONE : found.data?.data) : undefined;
}

/** Finds accounts by name, id or key while something is typed, and shows the picked one by its name. */
function AccountPicker({ label, value, onChange }: Picker) {
  const listId = useId();
  const picked = pickedAccount(value);
  const name = useAccountName(picked);
  const found = useFoundAccounts(picked === null ? value.trim() : '') ?? NONE;
  return (
    <div>
      <TextField
        label={label}
        list={listId}
        placeholder="name, id or key"
        value={picked === null ? value : (name ?? value)}
        onChange={onChange}
      />
      <datalist id={listId}>
        {found.map((account) => (
          <option key={account.account_id} value={account.account_id}>
            {account.name}
          </option>
        ))}
      </datalist>
    </div>
  );
}

export const ACCOUNT_FILTER: Filter = { name: 'account_id', label: 'Account', picker: AccountPicker };
