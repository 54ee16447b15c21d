import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button';
import { Card } from '../../components/page';
import { Loading } from '../../components/states';
import { useFirstSteps } from './use-first-steps';

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
