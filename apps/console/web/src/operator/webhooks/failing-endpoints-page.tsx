import { useState } from 'react';
import { type FailingEndpoint, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { Select } from '../../components/fields';
import { ListCard } from '../../components/list-card';
import { Page } from '../../components/page';
import { actions, type Column } from '../../components/table';
import { Nothing, Time } from '../../components/values';
import { formatCount } from '../../formatting/format';
import { ActionDialog } from '../actions/action-dialog';
import { AccountLink } from '../ids/short-link';
import { Permitted } from '../session/permitted';

const HOUR_MS = 60 * 60 * 1000;

export function FailingEndpointsPage() {
  const pages = usePages<FailingEndpoint>(`${OPERATOR}/webhooks/failing`, {}, { refetchMs: 15_000 });
  return (
    <Page
      title="Webhooks"
      intro="Hosts whose deliveries fail now, or have failed for good in seven days; the worst first."
    >
      <ListCard
        caption="Failing hosts"
        columns={COLUMNS}
        pages={pages}
        keyOf={({ account_id, host }) => `${account_id} ${host}`}
        empty={['No host fails', 'Deliveries arrive everywhere.']}
      />
    </Page>
  );
}

function RecoverDialog({ endpoint, onClose }: { endpoint: FailingEndpoint; onClose: () => void }) {
  const [hours, setHours] = useState('24');
  return (
    <ActionDialog
      title={`Send again to the account of ${endpoint.host}`}
      action="Send again"
      path={`${OPERATOR}/webhooks/recoveries`}
      body={() => ({
        account_id: endpoint.account_id,
        since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString(),
      })}
      done="What was missed is sent again."
      onClose={onClose}
    >
      <Select
        label="Failed in"
        value={hours}
        options={[
          ['1', 'the last hour'],
          ['24', 'the last day'],
          ['168', 'the last 7 days'],
        ]}
        onChange={setHours}
      />
    </ActionDialog>
  );
}

const COLUMNS: readonly Column<FailingEndpoint>[] = [
  { name: 'Host', cell: ({ host }) => host },
  { name: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} />, isExtra: true },
  { name: 'Retrying', cell: ({ retrying }) => formatCount(retrying), isNumber: true, isExtra: true },
  { name: 'Failed', cell: ({ exhausted }) => formatCount(exhausted), isNumber: true },
  {
    name: 'Last answer',
    cell: ({ last_response_status, last_error }) => last_response_status ?? last_error ?? <Nothing />,
    isExtra: true,
  },
  { name: 'Next try', cell: ({ next_attempt_at }) => <Time at={next_attempt_at} />, isNumber: true, isExtra: true },
  actions((endpoint) => (
    <Permitted to="redeliver">
      <Button
        kind="quiet"
        aria-label={`Send again to ${endpoint.host}`}
        onClick={() => openDialog(RecoverDialog, { endpoint })}
      >
        Send again
      </Button>
    </Permitted>
  )),
];
