import { type AccountStatementList, API, type StatementEntry, type Payment, useAccount } from '../../api/customer';
import { usePages } from '../../api/pages';
import { ButtonLink, DownloadLink } from '../../components/button';
import { ListCard } from '../../components/list-card';
import { Card, Figure, Figures, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, money } from '../../components/table';
import { Badge, Money, Nothing, Time, TwoLines } from '../../components/values';
import { formatDay, formatMoney } from '../../formatting/format';
import { Link } from '../../router/navigation';
import { AutoRechargeFigure } from './auto-recharge';
import { AvailableFigure, BalanceAlertFigure, BalanceBanner } from './balance-alert';
import { BillingDetailsCard } from './billing-details';
import { Cards } from './cards';
import { currentMonth, nameOfEntry } from './statement-page';
import { TopUpButton } from './top-up-dialog';

const PAYMENT_COLUMNS: readonly Column<Payment>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: 'Status',
    cell: ({ kind, state, payment_id: id }) =>
      kind === 'checkout' && state === 'unknown' ? (
        <Link to={`/money/top-ups/${id}`}>open</Link>
      ) : (
        <Badge>{state}</Badge>
      ),
  },
  { name: 'Reason', cell: (payment) => reasonOf(payment), isExtra: true },
  {
    name: 'Invoice',
    cell: ({ invoice_url: url }) =>
      url ? (
        <a href={url} target="_blank" rel="noreferrer">
          Invoice
        </a>
      ) : (
        <Nothing />
      ),
    isExtra: true,
  },
  money('Amount', ({ amount_micros }) => amount_micros),
];

function reasonOf({ failure, dispute, refunded_micros: refunded }: Payment): string {
  if (dispute) return `disputed: ${dispute}`;
  if (refunded) return `${formatMoney(refunded)} given back`;
  return failure ?? '';
}

export function Payments() {
  const pages = usePages<Payment>(`${API}/payments`, {}, { limit: 10 });
  return (
    <ListCard
      title="Payments"
      caption="Payments"
      columns={PAYMENT_COLUMNS}
      pages={pages}
      keyOf={({ payment_id }) => payment_id}
      empty={['No payment yet', 'Payments and recharges of a card are listed here.']}
    />
  );
}

const STATEMENT_COLUMNS: readonly Column<StatementEntry>[] = [
  {
    name: 'Entry',
    cell: (entry) => <TwoLines small={<Time at={entry.created_at} />}>{nameOfEntry(entry)}</TwoLines>,
  },
  {
    name: 'Job',
    cell: ({ job_id: id }) =>
      id === null ? <Nothing /> : <Link to={`/jobs/${id}`}>{`${id.slice(0, 8)}…${id.slice(-4)}`}</Link>,
    isExtra: true,
  },
  money('Amount', ({ amount_micros }) => amount_micros, { isExtra: true }),
  {
    name: 'Change',
    cell: ({ balance_delta_micros: delta }) => (delta === 0 ? <Nothing /> : <Money micros={delta} sign />),
    isNumber: true,
  },
  money('Balance after', ({ balance_after_micros }) => balance_after_micros),
];

export function MoneyPage() {
  const account = useAccount();
  const path = `${API}/account/statement`;
  const statement = usePages<StatementEntry, AccountStatementList>(path, {}, { refetchMs: 15_000 });
  const archived = statement.answer?.archived;
  return (
    <Page
      title="Money"
      intro="A job reserves its price. A success charges it, and everything else gives it back."
      actions={
        <>
          <DownloadLink href={`${API}/statement.csv`} name="statement.csv">
            CSV
          </DownloadLink>
          <ButtonLink to={`/money/statements/${currentMonth()}`}>Month</ButtonLink>
          <TopUpButton />
        </>
      }
    >
      <BalanceBanner />
      <Figures>
        <AvailableFigure />
        <AutoRechargeFigure />
        <BalanceAlertFigure />
        <Figure name="Customer since">{account.data ? formatDay(account.data.created_at) : '…'}</Figure>
      </Figures>
      <Payments />
      <Cards />
      <BillingDetailsCard />
      <ListCard
        title="Statement"
        caption="Statement"
        columns={STATEMENT_COLUMNS}
        pages={statement}
        keyOf={({ id }) => id}
        empty={archived ? ['No entry since'] : ['No money has moved yet', 'The first payment or job appears here.']}
      />
      {archived && (
        <Card>
          <Empty title={`Entries through ${archived.through} are archived`}>
            The balance was <Money micros={archived.closing_micros} /> then. The statements of months have their sums.
          </Empty>
        </Card>
      )}
    </Page>
  );
}
