import { useMutation, useQueryClient } from '@tanstack/react-query';
import { post } from '../../api/client';
import { API, isInFlight, type Job } from '../../api/customer';
import { useGet } from '../../api/pages';
import { notifyError } from '../../components/toasts';

/** Its stream brings each change of a job. Polls are for a page without one, and count in the account's rate limit. */
const POLL_MS = 10_000;

/** @param id null while the job does not exist */
export const useJob = (id: string | null) =>
  useGet<Job>(['job', id], `${API}/jobs/${encodeURIComponent(id ?? '')}`, {
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isInFlight(state.data) ? POLL_MS : false),
  });

export function useCancel({ id }: Job) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => post<Job>(`${API}/jobs/${id}/cancel`),
    onSuccess: (canceled) => client.setQueryData(['job', id], canceled),
    onError: notifyError,
  });
}
