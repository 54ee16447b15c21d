import { useState } from 'react';
import { OPERATOR, type Strike } from '../../api/operator';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Time } from '../../components/values';
import { ActionDialog } from '../actions/action-dialog';
import { AccountLink, JobLink } from '../ids/short-link';
import { Permitted } from '../session/permitted';

export function Strikes() {
  const [lifted, setLifted] = useState<Strike | null>(null);
  const pages = usePages<Strike>(`${OPERATOR}/moderation/strikes`);
  return (
    <Card isFlush>
      <PagedTable
        caption="Strikes"
        columns={columnsOf(setLifted)}
        pages={pages}
        keyOf={({ strike_id }) => strike_id}
        empty={<Empty title="No strike">An account gets one for a blocked output.</Empty>}
      />
      {lifted && (
        <ActionDialog
          title="Lift this strike"
          action="Lift"
          path={`${OPERATOR}/moderation/strikes/${lifted.strike_id}/lift`}
          body={() => ({})}
          done="The strike is lifted."
          onClose={() => setLifted(null)}
        >
          <p>
            It counts no longer. An account that it has suspended is active again as soon as it has fewer than the
            limit.
          </p>
        </ActionDialog>
      )}
    </Card>
  );
}

const columnsOf = (lift: (strike: Strike) => void): readonly Column<Strike>[] => [
  { name: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} /> },
  { name: 'Job', cell: ({ job_id: id }) => <JobLink id={id} />, isExtra: true },
  {
    name: 'Lifted',
    cell: ({ lifted_at, lifted_by }) =>
      lifted_at === null ? 'no' : `by ${lifted_by ?? 'an operator'}, ${new Date(lifted_at).toISOString().slice(0, 10)}`,
  },
  {
    name: 'Actions',
    isNameless: true,
    isNumber: true,
    cell: (strike) =>
      strike.lifted_at === null && (
        <Permitted to="lift_strikes">
          <Button kind="quiet" aria-label={`Lift the strike of job ${strike.job_id}`} onClick={() => lift(strike)}>
            Lift
          </Button>
        </Permitted>
      ),
  },
];
