import { type AccountSummary, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Select, TextField } from '../../components/fields';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Badge, Id, Money, Time } from '../../components/values';
import { Filters } from '../../components/filters';
import { formatCount } from '../../formatting/format';
import { Link, useSearch } from '../../router/navigation';

const STATUSES = ['active', 'paused', 'suspended', 'closed'] as const;

export const ACCOUNT_COLUMNS: readonly Column<AccountSummary>[] = [
  { name: 'Account', cell: ({ account_id, name }) => <Link to={`/operator/accounts/${account_id}`}>{name}</Link> },
  { name: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
  { name: 'Id', cell: ({ account_id }) => <Id id={account_id} label="account id" />, isExtra: true },
  { name: 'In flight', cell: ({ in_flight_jobs }) => formatCount(in_flight_jobs), isNumber: true, isExtra: true },
  { name: 'Balance', cell: ({ balance_micros }) => <Money micros={balance_micros} />, isNumber: true },
  { name: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true, isExtra: true },
];

export function AccountsPage() {
  const [params, setParams] = useSearch();
  const [search, status] = [params.get('search') ?? '', params.get('status') ?? ''];
  const pages = usePages<AccountSummary>(`${OPERATOR}/accounts`, { search: search.trim(), status });
  return (
    <Page title="Accounts">
      <Card isFlush>
        <Filters>
          <TextField
            label="Name, id, or the beginning of a key"
            value={search}
            onChange={(value) => setParams({ search: value })}
            placeholder="acme, 0192f3a0, knr_live_Ab"
          />
          <Select
            label="Status"
            value={status}
            options={[['', 'Any'], ...STATUSES.map((one) => [one, one] as const)]}
            onChange={(value) => setParams({ status: value })}
          />
        </Filters>
        <PagedTable
          caption="Accounts"
          columns={ACCOUNT_COLUMNS}
          pages={pages}
          keyOf={({ account_id }) => account_id}
          empty={<Empty title="No account matches">Search for another name or id.</Empty>}
        />
      </Card>
    </Page>
  );
}
