import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Decision, OPERATOR, type PolicyReplay, type Strike } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { Choice, Form, sentBy, TextArea } from '../../components/fields';
import { anyOf, type Filter, ListCard, useFilterValues } from '../../components/list-card';
import { Card, Page, Row } from '../../components/page';
import { actions, type Column, Table } from '../../components/table';
import { Badge, Nothing, Time } from '../../components/values';
import { formatCount } from '../../formatting/format';
import { useSearch } from '../../router/navigation';
import { act, ActionDialog } from '../actions/action-dialog';
import { ACCOUNT_FILTER, pickedAccount } from '../ids/account-picker';
import { AccountLink, JobLink } from '../ids/short-link';
import { Permitted, useMay } from '../session/permitted';
import { Appeals } from './appeals';

const COLUMNS: readonly Column<Decision>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Verdict', cell: ({ verdict }) => <Badge>{verdict}</Badge> },
  { name: 'Of the', cell: ({ stage }) => stage, isExtra: true },
  { name: 'Reason', cell: ({ reason }) => reason ?? <Nothing />, isExtra: true },
  { name: 'Engine', cell: ({ engine }) => engine ?? <Nothing />, isExtra: true },
  { name: 'Job', cell: ({ job_id: id }) => <JobLink id={id} /> },
  { name: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} />, isExtra: true },
];

const FILTERS: readonly Filter[] = [
  { name: 'verdict', label: 'Verdict', options: anyOf(['blocked', 'passed']) },
  ACCOUNT_FILTER,
  { name: 'job_id', label: 'Job id' },
];

export function Decisions() {
  const { account_id: account, ...filter } = useFilterValues('verdict', 'account_id', 'job_id');
  const pages = usePages<Decision>(`${OPERATOR}/moderation/decisions`, {
    ...filter,
    account_id: pickedAccount(account),
  });
  return (
    <ListCard
      caption="Decisions"
      columns={COLUMNS}
      pages={pages}
      keyOf={({ decision_id }) => decision_id}
      filters={FILTERS}
      empty={['No decision yet']}
    />
  );
}

/** What another policy would decide about the recorded decisions, before it is put in force. */
function Replay() {
  const [policy, setPolicy] = useState('');
  const replay = useMutation({
    mutationFn: () => act<PolicyReplay>('POST', `${OPERATOR}/moderation/replays`, { policy }),
  });
  return (
    <>
      <Card title="Try a policy" intro="A moderation.yaml, decided over the newest records. Nothing is changed.">
        <Form {...sentBy(replay)}>
          <TextArea label="Policy" name="policy" rows={10} value={policy} onChange={setPolicy} />
          <p>
            <Button type="submit" kind="primary" isBusy={replay.isPending} disabled={policy.trim() === ''}>
              Decide the record again
            </Button>
          </p>
        </Form>
      </Card>
      {replay.data && (
        <Card title={`${formatCount(replay.data.checked)} decisions checked`} isFlush>
          <Table
            empty="No decision would change"
            caption="Changed decisions"
            columns={[
              { name: 'Of the', cell: ({ stage }) => stage },
              { name: 'Was', cell: ({ from }) => from },
              { name: 'Would be', cell: ({ to }) => to },
              {
                name: 'Reason',
                cell: ({ engine, reason }) => [engine, reason].filter(Boolean).join(': '),
                isExtra: true,
              },
              { name: 'Decisions', cell: ({ decisions }) => formatCount(decisions), isNumber: true },
            ]}
            items={replay.data.changes}
            keyOf={(change) => JSON.stringify(change)}
          />
        </Card>
      )}
    </>
  );
}

export function Strikes() {
  const pages = usePages<Strike>(`${OPERATOR}/moderation/strikes`);
  return (
    <ListCard
      caption="Strikes"
      columns={STRIKE_COLUMNS}
      pages={pages}
      keyOf={({ strike_id }) => strike_id}
      empty={['No strike', 'An account gets one for a blocked output.']}
    />
  );
}

const lift = ({ strike_id }: Strike) =>
  openDialog(ActionDialog, {
    title: 'Lift this strike',
    action: 'Lift',
    path: `${OPERATOR}/moderation/strikes/${strike_id}/lift`,
    done: 'The strike is lifted.',
    children: (
      <p>
        It counts no longer. An account that it has suspended is active again as soon as it has fewer than the limit.
      </p>
    ),
  });

const STRIKE_COLUMNS: readonly Column<Strike>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} /> },
  { name: 'Job', cell: ({ job_id: id }) => <JobLink id={id} />, isExtra: true },
  {
    name: 'Lifted',
    cell: ({ lifted_at, lifted_by }) =>
      lifted_at === null ? 'no' : `by ${lifted_by ?? 'an operator'}, ${new Date(lifted_at).toISOString().slice(0, 10)}`,
  },
  actions(
    (strike) =>
      strike.lifted_at === null && (
        <Permitted to="lift_strikes">
          <Button kind="quiet" aria-label={`Lift the strike of job ${strike.job_id}`} onClick={() => lift(strike)}>
            Lift
          </Button>
        </Permitted>
      ),
  ),
];

const PARTS = [
  ['decisions', 'Decisions'],
  ['strikes', 'Strikes'],
  ['appeals', 'Appeals'],
  ['replay', 'Try a policy'],
] as const;

export function ModerationPage() {
  const [search, setSearch] = useSearch();
  const canReplay = useMay('replay_policy');
  const parts = PARTS.filter(([one]) => one !== 'replay' || canReplay);
  const part = parts.find(([one]) => one === search.get('show'))?.[0] ?? 'decisions';
  return (
    <Page title="Moderation" intro="Decisions hold hashes and scores of the content, never the content itself.">
      <Row>
        <Choice legend="What to show" value={part} options={parts} onChange={(show) => setSearch({ show })} />
      </Row>
      {part === 'decisions' && <Decisions />}
      {part === 'strikes' && <Strikes />}
      {part === 'appeals' && <Appeals />}
      {part === 'replay' && <Replay />}
    </Page>
  );
}
