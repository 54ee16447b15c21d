import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, request } from '../../api/client';
import { API, type Delivery, isInFlight, type Job, promptOf, type Receipt, useMay } from '../../api/customer';
import { useGet, usePages } from '../../api/pages';
import { Button, ButtonLink } from '../../components/button';
import { FormDialog, openDialog } from '../../components/dialog';
import { Choice } from '../../components/fields';
import { Card, Columns, Page, Stack } from '../../components/page';
import { Loaded } from '../../components/states';
import { notify } from '../../components/toasts';
import { Badge, Copy, Facts, Id, Money, Time } from '../../components/values';
import { formatDuration, formatQuantity } from '../../formatting/format';
import { type PageProps, useTitle } from '../../routes';
import { DeliveriesOfJob } from '../webhooks/delivery-columns';
import { AppealDialog, isAppealable } from './appeal-dialog';
import { JobInput, Timeline } from './job-details';
import { JobMedia, runAgainLink } from './job-media';
import { JobOrigin } from './job-origin';
import { useCancel, useJob } from './job-query';
import { jobTimeline } from './job-timeline';
import { kindOf } from './job-columns';
import styles from './jobs.module.css';

function JobActions({ job }: { job: Job }) {
  const canChange = useMay('create');
  const cancel = useCancel(job);
  if (!canChange) return null;
  return (
    <>
      {isAppealable(job) && <Button onClick={() => openDialog(AppealDialog, { job })}>Appeal</Button>}
      {isInFlight(job) ? (
        <Button kind="danger" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the job
        </Button>
      ) : (
        <Button kind="danger" onClick={() => openDialog(DeleteDialog, { job })}>
          Delete
        </Button>
      )}
      <ButtonLink to={runAgainLink(job)} kind="primary">
        Run again
      </ButtonLink>
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
      mutation={remove}
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

/** The signed statement about an ended job: what it cost, and why. */
function ReceiptCard({ receipt }: { receipt: Receipt }) {
  const { price, settlement, hold, request_sha256, attempts } = receipt.payload;
  return (
    <Card
      title="Receipt"
      intro="Signed with Ed25519. The API publishes the keys at /.well-known/jwks.json."
      actions={<Copy text={receipt.jws} label="the signed receipt" />}
    >
      <Facts
        facts={[
          ['Price', <Money key="price" micros={price.micros} />],
          [
            'Made of',
            price.unit_micros === null || price.quantity === null || price.per === null ? (
              '–'
            ) : (
              <>
                {formatQuantity(price.quantity, price.per)} at <Money micros={price.unit_micros} />
              </>
            ),
          ],
          ['Reserved by ledger entry', <Id key="hold" id={hold.ledger_entry_id} label="ledger entry" />],
          [
            `Settled by ledger entry (${settlement.kind})`,
            <Id key="end" id={settlement.ledger_entry_id} label="ledger entry" />,
          ],
          ['Attempts', attempts],
          [
            'Request',
            request_sha256 === null ? '–' : <Id key="hash" id={request_sha256} label="SHA-256 of the request" />,
          ],
        ]}
      />
    </Card>
  );
}

const DELIVERIES_SHOWN = 10;

/** One job from its request to its webhook. */
export function JobPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const job = useJob(id);
  const isEnded = job.data !== undefined && !isInFlight(job.data);
  const receipt = useGet<Receipt>(['receipt', id], `${API}/jobs/${encodeURIComponent(id)}/receipt`, {
    enabled: isEnded,
    // The settlement of a job follows its end by a moment.
    retry: (count, error) => count < 5 && error instanceof ApiError && error.status === 409,
  });
  if (job.data) return <JobView job={job.data} receipt={receipt.data ?? null} />;
  return (
    <Page title="Job">
      <Loaded query={job} unknown={UNKNOWN}>
        {() => null}
      </Loaded>
    </Page>
  );
}

const UNKNOWN = ['This account has no job with that id', 'Check the id, or find the job in the list.'] as const;

function JobView({ job, receipt }: { job: Job; receipt: Receipt | null }) {
  useTitle(promptOf(job) || kindOf(job));
  const seesWebhooks = useMay('webhooks');
  const filter = { job_id: job.id };
  const deliveries = usePages<Delivery>(`${API}/webhooks/deliveries`, filter, {
    limit: DELIVERIES_SHOWN,
    refetchMs: 5_000,
    enabled: seesWebhooks,
  });
  return (
    <Page title={kindOf(job)} intro={<Id id={job.id} label="job id" full />} actions={<JobActions job={job} />}>
      <Columns>
        <Stack>
          <Card title="Result">
            <JobMedia job={job} />
          </Card>
          <Card title="Input">
            <p className={styles['prompt']}>{promptOf(job)}</p>
            <JobInput job={job} />
          </Card>
        </Stack>
        <Stack>
          <Card title="Timeline">
            <Timeline steps={jobTimeline(job, receipt, deliveries.items)} />
          </Card>
          <Card title="Details">
            <Facts
              facts={[
                ['Status', <Badge key="status">{job.status}</Badge>],
                ['Model', job.model],
                [isInFlight(job) ? 'Reserved' : 'Charged', <Money key="money" micros={job.usage.charged_micros} />],
                ['Compute time', job.usage.gpu_ms === null ? '–' : formatDuration(job.usage.gpu_ms)],
                ['Moderation', <Badge key="moderation">{job.moderation.status}</Badge>],
                ['Files kept until', <Time key="expiry" at={job.expires_at} exact />],
              ]}
            />
          </Card>
          <JobOrigin job={job} />
          {receipt && <ReceiptCard receipt={receipt} />}
        </Stack>
      </Columns>
      {seesWebhooks && <DeliveriesOfJob pages={deliveries} />}
    </Page>
  );
}
