import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { OPERATOR, type PolicyReplay } from '../../api/operator';
import { Button } from '../../components/button';
import { Form, TextArea } from '../../components/fields';
import { Card } from '../../components/page';
import { Empty } from '../../components/states';
import { Table } from '../../components/table';
import { formatCount } from '../../formatting/quantity';
import { act } from '../actions/confirmation';

/** What another policy would decide about the recorded decisions, before it is put in force. */
export function Replay() {
  const [policy, setPolicy] = useState('');
  const replay = useMutation({
    mutationFn: () => act<PolicyReplay>('POST', `${OPERATOR}/moderation/replays`, { policy }),
  });
  return (
    <>
      <Card title="Try a policy" intro="A moderation.yaml, decided over the newest records. Nothing is changed.">
        <Form error={replay.error} params={['policy']} onSubmit={() => !replay.isPending && replay.mutate()}>
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
          {replay.data.changes.length === 0 ? (
            <Empty title="No decision would change" />
          ) : (
            <Table
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
          )}
        </Card>
      )}
    </>
  );
}
