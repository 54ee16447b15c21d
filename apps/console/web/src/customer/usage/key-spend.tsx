import { API, type KeySpend as Spend, type KeySpendList } from '../../api/customer';
import { useGet } from '../../api/pages';
import { BarChart } from '../../components/bar-chart';
import { Card } from '../../components/page';
import { Empty, Loaded } from '../../components/states';
import { type Column, money, Table } from '../../components/table';
import { Badge, TwoLines } from '../../components/values';
import { formatCount, formatMoney } from '../../formatting/format';

/** What each key has spent in the last days, in UTC and today included. */
export const useKeySpend = (days: number) => useGet<KeySpendList>(['key-spend', days], `${API}/key-spend?days=${days}`);

const nameOf = ({ api_key_id, name, prefix }: Spend) =>
  api_key_id === null ? 'Portal sessions' : name || prefix || api_key_id;

const COLUMNS: readonly Column<Spend>[] = [
  { name: 'Key', cell: (spend) => <KeyName spend={spend} /> },
  { name: 'Succeeded', cell: ({ jobs }) => formatCount(jobs), isNumber: true },
  money('Spent', ({ charged_micros }) => charged_micros),
];

function KeyName({ spend }: { spend: Spend }) {
  const { prefix, revoked_at } = spend;
  const small = prefix === null ? 'Signed in by a link' : <code>{prefix}…</code>;
  return (
    <TwoLines small={small}>
      {nameOf(spend)} {revoked_at !== null && <Badge>revoked</Badge>}
    </TwoLines>
  );
}

/** What each key has spent in the last days. */
export function KeySpend({ days }: { days: number }) {
  const spend = useKeySpend(days);
  return <Loaded query={spend}>{(list) => <SpendView list={list} days={days} />}</Loaded>;
}

function SpendView({ list: { data, has_more }, days }: { list: KeySpendList; days: number }) {
  return (
    <>
      <Card title="Spend by key" isFlush={data.length === 0}>
        {data.length === 0 ? (
          <Empty title="No key has spent anything in this period">Choose a longer period, or try a model.</Empty>
        ) : (
          <BarChart
            name="Spend by key"
            caption={`Jobs of the last ${days} days that succeeded`}
            bars={data.map((spend) => ({ label: nameOf(spend), value: spend.charged_micros }))}
            format={(micros) => formatMoney(Math.round(micros))}
            columns={['Key', 'Spend']}
            hasTable
          />
        )}
      </Card>
      {data.length > 0 && (
        <Card
          title="Numbers"
          intro={
            has_more
              ? 'The hundred keys that have spent most. Jobs in flight are not counted yet.'
              : 'Jobs in flight are not counted yet.'
          }
          isFlush
        >
          <Table caption="Spend by key" columns={COLUMNS} items={data} keyOf={(spend) => spend.api_key_id ?? ''} />
        </Card>
      )}
    </>
  );
}
