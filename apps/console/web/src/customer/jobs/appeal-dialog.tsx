import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { API, type Appeal, type Job } from '../../api/customer';
import { Button } from '../../components/button';
import { Dialog, FormDialog } from '../../components/dialog';
import { TextArea } from '../../components/fields';
import { Badge, Facts, Time } from '../../components/values';

/** Whether an operator may look at the block of the job again. */
export const isAppealable = ({ error }: Job) => error?.code === 'content_blocked_output';

/** Asks for the block to be looked at again. A repeat changes nothing, and shows what was decided. */
export function AppealDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const [text, setText] = useState('');
  const appeal = useMutation({ mutationFn: () => post<Appeal>(`${API}/jobs/${job.id}/appeal`, { text }) });
  if (appeal.data) return <AppealState appeal={appeal.data} onClose={onClose} />;
  return (
    <FormDialog title="Appeal against the block" action="Send the appeal" mutation={appeal} onClose={onClose}>
      <TextArea
        label="Why the block is wrong"
        name="text"
        hint="At most 500 characters. An operator decides by this text and the record; the output is not kept."
        rows={4}
        maxLength={500}
        value={text}
        onChange={setText}
      />
      <p>A job has one appeal. Send another text to read what was decided.</p>
    </FormDialog>
  );
}

function AppealState({
  appeal: { status, created_at, decided_at, reason },
  onClose,
}: {
  appeal: Appeal;
  onClose: () => void;
}) {
  return (
    <Dialog title="The appeal of this job" onClose={onClose}>
      <Facts
        facts={[
          ['Status', <Badge key="status">{status}</Badge>],
          ['Sent', <Time key="sent" at={created_at} exact />],
          ['Decided', <Time key="decided" at={decided_at} exact />],
          ['Reason', reason ?? '–'],
        ]}
      />
      <p>
        <Button onClick={onClose}>Close</Button>
      </p>
    </Dialog>
  );
}
