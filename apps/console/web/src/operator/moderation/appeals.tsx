import { type Appeal, OPERATOR } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { anyOf, type Filter, ListCard, useFilterValues } from '../../components/list-card';
import { Row } from '../../components/page';
import { actions, type Column } from '../../components/table';
import { Badge, Time } from '../../components/values';
import { ActionDialog } from '../actions/action-dialog';
import { AccountLink, JobLink } from '../ids/short-link';
import { Permitted } from '../session/permitted';

const FILTERS: readonly Filter[] = [{ name: 'status', label: 'Status', options: anyOf(['open', 'upheld', 'lifted']) }];

const DIALOGS = {
  lift: { title: 'Lift this block', action: 'Lift', done: 'The block is lifted.' },
  uphold: { title: 'Uphold this block', action: 'Uphold', done: 'The block is upheld.' },
} as const;

/** The queue of appeals, the oldest first. */
export function Appeals() {
  const pages = usePages<Appeal>(`${OPERATOR}/moderation/appeals`, useFilterValues('status'));
  return (
    <ListCard
      caption="Appeals"
      columns={COLUMNS}
      pages={pages}
      keyOf={({ appeal_id }) => appeal_id}
      filters={FILTERS}
      empty={['No appeal waits', 'Customers appeal against the block of an output.']}
    />
  );
}

const decide = ({ appeal_id, text }: Appeal, verb: keyof typeof DIALOGS) =>
  openDialog(ActionDialog, {
    ...DIALOGS[verb],
    path: `${OPERATOR}/moderation/appeals/${appeal_id}/${verb}`,
    children: (
      <>
        <p>{text}</p>
        <p>The customer reads the reason. {verb === 'lift' && 'The strike of the job is lifted, too.'}</p>
      </>
    ),
  });

const COLUMNS: readonly Column<Appeal>[] = [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} />, isExtra: true },
  { name: 'Job', cell: ({ job_id: id }) => <JobLink id={id} /> },
  { name: 'Text', cell: ({ text }) => text },
  { name: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
  actions(
    (appeal) =>
      appeal.status === 'open' && (
        <Permitted to="lift_strikes">
          <Row>
            {(['lift', 'uphold'] as const).map((verb) => (
              <Button
                key={verb}
                kind="quiet"
                aria-label={`${DIALOGS[verb].action} the block of job ${appeal.job_id}`}
                onClick={() => decide(appeal, verb)}
              >
                {DIALOGS[verb].action}
              </Button>
            ))}
          </Row>
        </Permitted>
      ),
  ),
];
