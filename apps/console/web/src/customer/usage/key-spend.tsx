import { API, type ApiKey } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Nothing, Time } from '../../components/values';
import { Budget } from '../keys/budget';

const COLUMNS: readonly Column<ApiKey>[] = [
  { name: 'Key', cell: ({ name, prefix }) => `${name} (${prefix}…)` },
  {
    name: 'Spent in the period of its budget',
    cell: (key) => (key.budget_micros === null ? <Nothing /> : <Budget apiKey={key} />),
  },
  { name: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} />, isNumber: true },
];

/** What each key with a budget has spent of it. */
export function KeySpend() {
  const pages = usePages<ApiKey>(`${API}/account/keys`);
  return (
    <Card title="Spend by key" intro="The service counts the spend of keys that have a budget." isFlush>
      <PagedTable
        caption="Spend by key"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ id }) => id}
        empty={<Empty title="This account has no keys">Create one with a budget to see here what it spends.</Empty>}
      />
    </Card>
  );
}
