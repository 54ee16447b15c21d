import { useMutation } from '@tanstack/react-query';
import { get } from '../../api/client';
import { type ComputeExamination, OPERATOR } from '../../api/operator';
import { Button } from '../../components/button';
import { Card } from '../../components/page';
import { Failure } from '../../components/states';
import { type Column, Table } from '../../components/table';
import { Badge } from '../../components/values';

interface Row {
  name: string;
  state: string;
  problems: readonly string[];
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Examined', cell: ({ name }) => name },
  { name: 'State', cell: ({ state }) => <Badge tone={state === 'up' ? 'good' : 'bad'}>{state}</Badge> },
  { name: 'Problems', cell: ({ problems }) => (problems.length === 0 ? 'none' : problems.join(' ')) },
];

/** Asks every instance whether it could run the models of its routes. It starts by a click, because each instance is asked. */
export function Examination() {
  const examination = useMutation({ mutationFn: () => get<ComputeExamination>(`${OPERATOR}/compute/examination`) });
  return (
    <Card
      title="Examination"
      intro="Asks every instance for its state, and whether it has what the models of its routes need. Nothing is generated."
      actions={
        <Button isBusy={examination.isPending} onClick={() => examination.mutate()}>
          Examine now
        </Button>
      }
      isFlush={examination.data !== undefined}
    >
      {examination.error ? <Failure error={examination.error} /> : examination.data && <Rows of={examination.data} />}
    </Card>
  );
}

const Rows = ({ of }: { of: ComputeExamination }) => (
  <Table caption="The examined instances and models" columns={COLUMNS} items={rowsOf(of)} keyOf={({ name }) => name} />
);

function rowsOf({ providers, models }: ComputeExamination): Row[] {
  return [
    ...providers.map(({ id, version, state, problems }) => {
      return { name: version === undefined ? id : `${id} ${version}`, state, problems };
    }),
    ...models.map(({ id, problems }) => {
      return { name: `Model ${id}`, state: problems.length === 0 ? 'up' : 'down', problems };
    }),
  ];
}
