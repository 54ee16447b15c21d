import { API, type StatementEntry, useAccount } from '../../api/customer';
import { usePages } from '../../api/pages';
import { DownloadLink } from '../../components/button';
import { Card, Figure, Figures, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Money, Nothing, Time, TwoLines } from '../../components/values';
import { formatDay } from '../../formatting/time';
import { Link } from '../../router/link';
import { AutoRechargeFigure } from './auto-recharge';
import { Payments } from './payments';

const KINDS: Record<StatementEntry['kind'], string> = {
  reserve: 'Reserved for a job',
  capture: 'Charged',
  refund: 'Refunded',
  top_up: 'Payment',
  credit: 'Credit',
  adjustment: 'Adjustment',
};

const COLUMNS: readonly Column<StatementEntry>[] = [
  {
    name: 'Entry',
    cell: ({ kind, created_at }) => <TwoLines small={<Time at={created_at} />}>{KINDS[kind]}</TwoLines>,
  },
  {
    name: 'Job',
    cell: ({ job_id: id }) =>
      id === null ? <Nothing /> : <Link to={`/jobs/${id}`}>{`${id.slice(0, 8)}…${id.slice(-4)}`}</Link>,
    isExtra: true,
  },
  { name: 'Amount', cell: ({ amount_micros }) => <Money micros={amount_micros} />, isNumber: true, isExtra: true },
  {
    name: 'Change',
    cell: ({ balance_delta_micros: delta }) => (delta === 0 ? <Nothing /> : <Money micros={delta} sign />),
    isNumber: true,
  },
  {
    name: 'Balance after',
    cell: ({ balance_after_micros }) => <Money micros={balance_after_micros} />,
    isNumber: true,
  },
];

export function MoneyPage() {
  const account = useAccount();
  const statement = usePages<StatementEntry>(`${API}/account/statement`, {}, { refetchMs: 15_000 });
  return (
    <Page
      title="Money"
      intro="A job reserves its price. A success charges it, and everything else gives it back."
      actions={
        <DownloadLink href={`${API}/statement.csv`} name="statement.csv">
          CSV
        </DownloadLink>
      }
    >
      <Figures>
        <Figure name="Available" note="Reserved amounts are already subtracted">
          {account.data ? <Money micros={account.data.balance_micros} /> : '…'}
        </Figure>
        <AutoRechargeFigure />
        <Figure name="Customer since">{account.data ? formatDay(account.data.created_at) : '…'}</Figure>
      </Figures>
      <Payments />
      <Card title="Statement" isFlush>
        <PagedTable
          caption="Statement"
          columns={COLUMNS}
          pages={statement}
          keyOf={({ id }) => id}
          empty={<Empty title="No money has moved yet">The first payment or job appears here.</Empty>}
        />
      </Card>
    </Page>
  );
}
