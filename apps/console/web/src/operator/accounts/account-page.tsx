import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client';
import { type AccountDetails, OPERATOR } from '../../api/operator';
import { Button } from '../../components/button';
import { Card, Columns, Figure, Figures, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { Badge, Facts, Id, Money, Time } from '../../components/values';
import { formatCount } from '../../formatting/quantity';
import { Link } from '../../router/link';
import type { PageProps } from '../../routes';
import { AccountHistory } from './account-history';
import { AccountPayments } from './account-payments';
import { AccountStatement } from './account-statement';
import { PortalLinkDialog, ViewAsDialog } from './portal-link-dialogs';
import { LimitsDialog, MoneyDialog, StatusDialog } from './account-dialogs';
import { Permitted, useMay } from '../session/permitted';

export function AccountPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const account = useQuery({
    queryKey: ['operator-account', id],
    queryFn: ({ signal }) => get<AccountDetails>(`${OPERATOR}/accounts/${encodeURIComponent(id)}`, signal),
  });
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
  const [opened, setOpened] = useState<'view' | 'link' | 'money' | 'status' | 'limits' | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Permitted to="open_portal">
        <Button onClick={() => setOpened('view')}>View as</Button>
        <Button onClick={() => setOpened('link')}>Portal link</Button>
      </Permitted>
      <Permitted to="change_limits">
        <Button onClick={() => setOpened('limits')}>Limits</Button>
      </Permitted>
      <Permitted to="change_status">
        <Button onClick={() => setOpened('status')}>Status</Button>
      </Permitted>
      <Permitted to="change_money">
        <Button kind="primary" onClick={() => setOpened('money')}>
          Move money
        </Button>
      </Permitted>
      {opened === 'view' && <ViewAsDialog account={account} onClose={close} />}
      {opened === 'link' && <PortalLinkDialog account={account} onClose={close} />}
      {opened === 'money' && <MoneyDialog account={account} onClose={close} />}
      {opened === 'status' && <StatusDialog account={account} onClose={close} />}
      {opened === 'limits' && <LimitsDialog account={account} onClose={close} />}
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
        <Figure name="Available">
          <Money micros={account.balance_micros} />
        </Figure>
        <Figure name="Held">
          <Money micros={account.held_micros} />
        </Figure>
        <Figure name="In flight" note={`of ${formatCount(account.max_concurrent_jobs)} at once`}>
          {formatCount(account.in_flight_jobs)}
        </Figure>
        <Figure name="Spent in all">
          <Money micros={account.spent_micros} />
        </Figure>
      </Figures>
      <Columns>
        <Card title="Facts">
          <Facts
            facts={[
              ['Status', <Badge key="status">{account.status}</Badge>],
              ['Its reason', account.status_reason ?? '–'],
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
      <AccountPayments accountId={account.account_id} />
      <AccountStatement accountId={account.account_id} />
    </>
  );
}
