import { type AccountDetails, OPERATOR, type OperatorAction, type StatementLine } from '../../api/operator';
import { useGet, usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { ListCard } from '../../components/list-card';
import { Card, Columns, Figure, Figures, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { type Column, money } from '../../components/table';
import { Badge, Facts, Id, Nothing, Time } from '../../components/values';
import { formatCount } from '../../formatting/format';
import { Link } from '../../router/navigation';
import type { PageProps } from '../../routes';
import { AccountKeys } from './account-keys';
import { AccountPayments } from './account-payments';
import { JobLink } from '../ids/short-link';
import { Permitted, useMay } from '../session/permitted';
import { ChoiceDialog, IssueDialog, LimitsDialog, MoneyDialog, ViewAsDialog } from './account-dialogs';

const ACTION_COLUMNS: readonly Column<OperatorAction>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Action', cell: ({ action }) => action.replaceAll('_', ' ') },
  { name: 'By', cell: ({ actor }) => actor ?? 'the account' },
  { name: 'Reason', cell: ({ reason }) => reason ?? '', isExtra: true },
];

/** What operators, and keys of the account itself, have changed. */
function AccountHistory({ accountId }: { accountId: string }) {
  const pages = usePages<OperatorAction>(`${OPERATOR}/accounts/${accountId}/history`, {}, { limit: 10 });
  return (
    <ListCard
      title="History"
      caption="Changes of the account"
      columns={ACTION_COLUMNS}
      pages={pages}
      keyOf={({ action, created_at }) => `${action} ${created_at}`}
      empty={['No change yet']}
    />
  );
}

const STATEMENT_COLUMNS: readonly Column<StatementLine>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Entry', cell: ({ kind, cause }) => (cause ?? kind).replaceAll('_', ' ') },
  { name: 'Job', cell: ({ job_id: id }) => (id === null ? <Nothing /> : <JobLink id={id} />), isExtra: true },
  { name: 'Reason', cell: ({ reason }) => reason ?? <Nothing />, isExtra: true },
  money('Amount', ({ amount_micros }) => amount_micros, { isExtra: true }),
  money('Change', ({ balance_delta_micros }) => balance_delta_micros, { sign: true }),
  money('Balance after', ({ balance_after_micros }) => balance_after_micros),
];

function AccountStatement({ accountId }: { accountId: string }) {
  const pages = usePages<StatementLine>(`${OPERATOR}/accounts/${accountId}/statement`, {}, { limit: 15 });
  return (
    <ListCard
      title="Statement"
      caption="Statement of the account"
      columns={STATEMENT_COLUMNS}
      pages={pages}
      keyOf={({ entry_id }) => entry_id}
      empty={['No money has moved yet']}
    />
  );
}

export function AccountPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const account = useGet<AccountDetails>(['operator-account', id], `${OPERATOR}/accounts/${encodeURIComponent(id)}`);
  return (
    <Page
      title={account.data?.name ?? 'Account'}
      intro={<Id id={id} label="account id" full />}
      actions={account.data && <AccountActions account={account.data} />}
    >
      <Loaded query={account}>{(data) => <AccountView account={data} />}</Loaded>
    </Page>
  );
}

function AccountActions({ account }: { account: AccountDetails }) {
  return (
    <>
      <Permitted to="open_portal">
        <Button onClick={() => openDialog(ViewAsDialog, { account })}>View as</Button>
        <Button onClick={() => openDialog(IssueDialog, { kind: 'link', account })}>Portal link</Button>
      </Permitted>
      <Permitted to="change_limits">
        <Button onClick={() => openDialog(LimitsDialog, { account })}>Limits</Button>
      </Permitted>
      <Permitted to="change_status">
        <Button onClick={() => openDialog(ChoiceDialog, { kind: 'status', account })}>Status</Button>
      </Permitted>
      <Permitted to="change_money">
        <Button onClick={() => openDialog(ChoiceDialog, { kind: 'price_group', account })}>Price group</Button>
        <Button kind="primary" onClick={() => openDialog(MoneyDialog, { account })}>
          Move money
        </Button>
      </Permitted>
    </>
  );
}

/** The lists of all accounts, with the filter of this one. */
function AccountLists({ id }: { id: string }) {
  const mayAudit = useMay('view_audit');
  return (
    <>
      <Link to={`/operator/jobs?account_id=${id}`}>Jobs</Link>
      {', '}
      <Link to={`/operator/moderation?account_id=${id}`}>decisions</Link>
      {mayAudit && (
        <>
          {', '}
          <Link to={`/operator/audit?account_id=${id}`}>audit trail</Link>
        </>
      )}
    </>
  );
}

function AccountView({ account }: { account: AccountDetails }) {
  return (
    <>
      <Figures>
        <Figure name="Available" micros={account.balance_micros} />
        {account.owed_micros ? (
          <Figure name="Owed" note="Of payments that went back" micros={account.owed_micros} />
        ) : null}
        <Figure name="Held" micros={account.held_micros} />
        <Figure name="In flight" note={`of ${formatCount(account.max_concurrent_jobs)} at once`}>
          {formatCount(account.in_flight_jobs)}
        </Figure>
        <Figure name="Spent in all" micros={account.spent_micros} />
      </Figures>
      <Columns>
        <Card title="Details">
          <Facts
            facts={[
              ['Status', <Badge key="status">{account.status}</Badge>],
              ['Status reason', account.status_reason ?? '–'],
              ['Prices', account.price_group ?? 'of the price list'],
              ['Requests a minute', formatCount(account.rate_limit_rpm)],
              ['Jobs at once', formatCount(account.max_concurrent_jobs)],
              ['Files kept for', `${account.retention_days} days`],
              ['Created', <Time key="created" at={account.created_at} />],
              ['More', <AccountLists key="more" id={account.account_id} />],
            ]}
          />
        </Card>
        <AccountHistory accountId={account.account_id} />
      </Columns>
      <AccountKeys account={account} />
      <AccountPayments accountId={account.account_id} />
      <AccountStatement accountId={account.account_id} />
    </>
  );
}
