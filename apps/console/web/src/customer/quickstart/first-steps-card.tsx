import { lazy, Suspense, useState } from 'react';
import { API, type ApiKey, type Delivery, type Job, type LoggedRequest } from '../../api/customer';
import { type Page, useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { Card } from '../../components/page';
import { Loading } from '../../components/states';

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

const FirstSteps = lazy(async () => ({ default: (await import('./first-steps')).FirstSteps }));
const HIDDEN = 'kinora.first-steps';

/** On the home page until all steps are done, or hidden in this browser. */
export function FirstStepsCard() {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const steps = useFirstSteps(!isHidden);
  const hide = () => {
    localStorage.setItem(HIDDEN, 'hidden');
    setHidden(true);
  };
  if (isHidden || !steps.includes(false)) return null;
  return (
    <Card
      title="First steps"
      intro="The page Quickstart has them, too."
      actions={
        <Button kind="quiet" onClick={hide}>
          Hide
        </Button>
      }
    >
      <Suspense fallback={<Loading />}>
        <FirstSteps />
      </Suspense>
    </Card>
  );
}
