import { type AccountSummary, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { anyOf, type Filter, ListCard, useFilterValues } from '../../components/list-card';
import { Page } from '../../components/page';
import { type Column, money } from '../../components/table';
import { Badge, Id, Time } from '../../components/values';
import { formatCount } from '../../formatting/format';
import { Link } from '../../router/navigation';
import { Permitted } from '../session/permitted';
import { CreateAccountDialog } from './create-account-dialog';

const FILTERS: readonly Filter[] = [
  {
    name: 'search',
    label: 'Name, id, or the beginning of a key',
    placeholder: 'acme, 0192f3a0, knr_live_Ab',
    keepsSpaces: true,
  },
  { name: 'status', label: 'Status', options: anyOf(['active', 'paused', 'suspended', 'closed']) },
];

const ACCOUNT_COLUMNS: readonly Column<AccountSummary>[] = [
  { name: 'Account', cell: ({ account_id, name }) => <Link to={`/operator/accounts/${account_id}`}>{name}</Link> },
  { name: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
  { name: 'Id', cell: ({ account_id }) => <Id id={account_id} label="account id" />, isExtra: true },
  { name: 'In flight', cell: ({ in_flight_jobs }) => formatCount(in_flight_jobs), isNumber: true, isExtra: true },
  money('Balance', ({ balance_micros }) => balance_micros),
  { name: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true, isExtra: true },
];

export function AccountsPage() {
  const { search, status } = useFilterValues('search', 'status');
  const pages = usePages<AccountSummary>(`${OPERATOR}/accounts`, { search: search.trim(), status });
  return (
    <Page
      title="Accounts"
      actions={
        <Permitted to="create_accounts">
          <Button kind="primary" icon="plus" onClick={() => openDialog(CreateAccountDialog, {})}>
            Create account
          </Button>
        </Permitted>
      }
    >
      <ListCard
        caption="Accounts"
        columns={ACCOUNT_COLUMNS}
        pages={pages}
        keyOf={({ account_id }) => account_id}
        filters={FILTERS}
        empty={['No account yet']}
      />
    </Page>
  );
}
