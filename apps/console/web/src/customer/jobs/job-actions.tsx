import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { post, request } from '../../api/client';
import { API, isInFlight, type Job, useCan } from '../../api/customer';
import { Button, ButtonLink } from '../../components/button';
import { FormDialog } from '../../components/dialog';
import { Choice } from '../../components/fields';
import { notify, notifyError } from '../../components/toasts';

export function JobActions({ job }: { job: Job }) {
  const client = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const canChange = useCan('jobs');
  const cancel = useMutation({
    mutationFn: () => post<Job>(`${API}/jobs/${job.id}/cancel`),
    onSuccess: (canceled) => client.setQueryData(['job', job.id], canceled),
    onError: notifyError,
  });
  if (!canChange) return null;
  return (
    <>
      {isInFlight(job) ? (
        <Button kind="danger" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the job
        </Button>
      ) : (
        <Button kind="danger" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      <ButtonLink to={`/playground?from=${job.id}`} kind="primary">
        Run again
      </ButtonLink>
      {isDeleting && <DeleteDialog job={job} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const client = useQueryClient();
  const [what, setWhat] = useState<'outputs' | 'content'>('outputs');
  const remove = useMutation({
    mutationFn: () => request<Job>('DELETE', `${API}/jobs/${job.id}/${what}`),
    onSuccess: (changed) => {
      client.setQueryData(['job', job.id], changed);
      notify(what === 'outputs' ? 'The files are deleted.' : 'The files and the texts are deleted.');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Delete what the job holds"
      action="Delete for good"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Choice
        legend="What to delete"
        value={what}
        onChange={setWhat}
        options={[
          ['outputs', 'Only its files'],
          ['content', 'Files, texts and inputs'],
        ]}
      />
      <p>
        {what === 'outputs'
          ? 'The images or the video are deleted now. The prompt and the receipt stay.'
          : 'The prompt, the inputs and the files are deleted now, also in webhook payloads. Price and receipt stay.'}{' '}
        This cannot be undone.
      </p>
    </FormDialog>
  );
}
