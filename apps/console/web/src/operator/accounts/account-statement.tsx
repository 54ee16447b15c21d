import { OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Money, Nothing, Time } from '../../components/values';
import { Link } from '../../router/link';

/** An entry as operators see it. */
interface Entry {
  entry_id?: string;
  id?: string;
  kind: string;
  amount_micros: number;
  balance_after_micros: number;
  job_id: string | null;
  created_at: string;
}

const idOf = ({ entry_id, id }: Entry) => entry_id ?? id ?? '';

const COLUMNS: readonly Column<Entry>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Entry', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  {
    name: 'Job',
    cell: ({ job_id: id }) =>
      id === null ? <Nothing /> : <Link to={`/operator/jobs/${id}`}>{`${id.slice(0, 8)}…${id.slice(-4)}`}</Link>,
    isExtra: true,
  },
  { name: 'Amount', cell: ({ amount_micros }) => <Money micros={amount_micros} />, isNumber: true },
  {
    name: 'Balance after',
    cell: ({ balance_after_micros }) => <Money micros={balance_after_micros} />,
    isNumber: true,
  },
];

export function AccountStatement({ accountId }: { accountId: string }) {
  const pages = usePages<Entry>(`${OPERATOR}/accounts/${accountId}/statement`, {}, { limit: 15 });
  return (
    <Card title="Statement" isFlush>
      <PagedTable
        caption="Statement of the account"
        columns={COLUMNS}
        pages={pages}
        keyOf={(entry) => `${idOf(entry)} ${entry.kind} ${entry.created_at}`}
        empty={<Empty title="No money has moved yet" />}
      />
    </Card>
  );
}
