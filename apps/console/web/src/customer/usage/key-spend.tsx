import { API, type ApiKey } from '../../api/customer';
import { usePages } from '../../api/pages';
import { BarChart } from '../../components/bar-chart';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Money, Nothing, Time, TwoLines } from '../../components/values';
import { formatMoney } from '../../formatting/money';
import { Budget } from '../keys/budget';

const SHOWN = 100;

/** A key with a budget, which is what makes the service count the spend of a key. */
type CountedKey = ApiKey & { budget_micros: number; spent_micros: number };

const isCounted = (key: ApiKey): key is CountedKey => key.budget_micros !== null && key.spent_micros !== null;

const COLUMNS: readonly Column<ApiKey>[] = [
  { name: 'Key', cell: ({ name, prefix }) => <TwoLines small={<code>{prefix}…</code>}>{name}</TwoLines> },
  { name: 'Spent of its budget', cell: (key) => <Budget apiKey={key} /> },
  {
    name: 'Left',
    cell: (key) => (isCounted(key) ? <Money micros={key.budget_micros - key.spent_micros} /> : <Nothing />),
    isNumber: true,
    isExtra: true,
  },
  { name: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} />, isNumber: true, isExtra: true },
];

/** What each key with a budget has spent of it. */
export function KeySpend() {
  const pages = usePages<ApiKey>(`${API}/account/keys`, {}, { limit: SHOWN });
  const counted = pages.items.filter(isCounted);
  return (
    <>
      {counted.length > 0 && (
        <Card title="Spend by key">
          <BarChart
            name="Spend by key"
            caption="In the current day or month of the budget, UTC"
            bars={counted.map(({ name, prefix, spent_micros }) => ({ label: name || prefix, value: spent_micros }))}
            format={(micros) => formatMoney(Math.round(micros))}
            columns={['Key', 'Spend']}
            hasTable
          />
        </Card>
      )}
      <Card
        title="Budgets"
        intro="The spend of a key is counted against its budget. A key without one counts in the sums by day and by model."
        isFlush
      >
        <PagedTable
          caption="Spend by key"
          columns={COLUMNS}
          pages={pages}
          keyOf={({ id }) => id}
          empty={<Empty title="This account has no keys">Create one with a budget to see here what it spends.</Empty>}
        />
      </Card>
    </>
  );
}
