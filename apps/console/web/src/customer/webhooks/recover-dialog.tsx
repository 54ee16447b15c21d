import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { get, post } from '../../api/client';
import { API, type Delivery } from '../../api/customer';
import type { Page } from '../../api/pages';
import { FormDialog } from '../../components/dialog';
import { Select } from '../../components/fields';
import { notify } from '../../components/toasts';
import { queryString } from '../../formatting/format';

const HOUR_MS = 60 * 60 * 1000;
const PERIODS = [
  ['1', 'the last hour'],
  ['24', 'the last day'],
  ['168', 'the last 7 days'],
  ['720', 'the last 30 days'],
] as const;
const PAGE = 100;
const DELIVERIES = `${API}/webhooks/deliveries`;

/** Sends again what a receiver missed while it was down. */
export function RecoverDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [hours, setHours] = useState('24');
  const [done, setDone] = useState(0);
  const recover = useMutation({
    mutationFn: () => recoverSince(new Date(Date.now() - Number(hours) * HOUR_MS), setDone),
    onSuccess: (count) => {
      notify(count === 0 ? 'No delivery failed in that time.' : `${count} sent again.`);
      onClose();
      return client.invalidateQueries({ queryKey: [DELIVERIES] });
    },
  });
  return (
    <FormDialog
      title="Retry failed deliveries"
      action={recover.isPending ? `Sent again: ${done}` : 'Send again'}
      mutation={recover}
      onClose={onClose}
    >
      <p>
        Deliveries whose last attempt failed are sent again, with the same event id, so receivers can recognise repeats.
      </p>
      <Select label="Failed in" value={hours} options={PERIODS} onChange={setHours} />
    </FormDialog>
  );
}

/** An event whose delivery was repeated already is left out, so a second click sends nothing twice. */
async function recoverSince(since: Date, onProgress: (count: number) => void): Promise<number> {
  const failed = await listSince(since, 'exhausted');
  const others = [...(await listSince(since, 'delivered')), ...(await listSince(since, 'pending'))];
  const settled = new Set(others.map(({ event_id, url }) => `${event_id} ${url}`));
  const missed = new Map(failed.map((delivery) => [`${delivery.event_id} ${delivery.url}`, delivery]));
  const again = [...missed].filter(([event]) => !settled.has(event));
  for (const [index, [, { id }]] of again.entries()) {
    await post(`${DELIVERIES}/${id}/redeliver`);
    onProgress(index + 1);
  }
  return again.length;
}

async function listSince(since: Date, status: Delivery['status']): Promise<Delivery[]> {
  const found: Delivery[] = [];
  let cursor: string | null = null;
  do {
    const query = queryString({ status, since: since.toISOString(), limit: PAGE, cursor });
    const page: Page<Delivery> = await get(DELIVERIES + query);
    found.push(...page.data);
    cursor = page.has_more ? page.next_cursor : null;
  } while (cursor !== null);
  return found;
}
