import { OPERATOR, type StatementLine } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Money, Nothing, Time } from '../../components/values';
import { JobLink } from '../ids/short-link';

const COLUMNS: readonly Column<StatementLine>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Entry', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { name: 'Job', cell: ({ job_id: id }) => (id === null ? <Nothing /> : <JobLink id={id} />), isExtra: true },
  { name: 'Reason', cell: ({ reason }) => reason ?? <Nothing />, isExtra: true },
  { name: 'Amount', cell: ({ amount_micros }) => <Money micros={amount_micros} />, isNumber: true, isExtra: true },
  { name: 'Change', cell: ({ balance_delta_micros }) => <Money micros={balance_delta_micros} sign />, isNumber: true },
  {
    name: 'Balance after',
    cell: ({ balance_after_micros }) => <Money micros={balance_after_micros} />,
    isNumber: true,
  },
];

export function AccountStatement({ accountId }: { accountId: string }) {
  const pages = usePages<StatementLine>(`${OPERATOR}/accounts/${accountId}/statement`, {}, { limit: 15 });
  return (
    <Card title="Statement" isFlush>
      <PagedTable
        caption="Statement of the account"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ entry_id }) => entry_id}
        empty={<Empty title="No money has moved yet" />}
      />
    </Card>
  );
}
