import { API, type ApiKey, type Delivery, type Job, type LoggedRequest } from '../../api/customer';
import { type Page, useGet } from '../../api/pages';

const REFETCH_MS = 15_000;

/** Whether the list has a row; undefined while that is not known. A step that is done stays done. */
function useHasAny<Item>(path: string, enabled: boolean): boolean | undefined {
  return useGet<Page<Item>, boolean>(['first-steps', path], API + path, {
    select: ({ data }) => data.length > 0,
    enabled,
    refetchInterval: ({ state }) => (state.data?.data.length ? false : REFETCH_MS),
  }).data;
}

/** What the account has done of the first steps, in their order. */
export const useFirstSteps = (isShown = true) => [
  useHasAny<Job>('/jobs?status=succeeded&limit=1', isShown),
  useHasAny<ApiKey>('/account/keys?limit=1', isShown),
  useHasAny<LoggedRequest>('/requests?source=programs&status=2xx&limit=1', isShown),
  useHasAny<Delivery>('/webhooks/deliveries?status=delivered&limit=1', isShown),
];
