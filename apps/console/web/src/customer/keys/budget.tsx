import type { ApiKey } from '../../api/customer';
import { Money, Nothing } from '../../components/values';
import styles from './keys.module.css';

interface BudgetProps {
  apiKey: ApiKey;
  /** What the key has spent in the last 30 days; undefined while that is not known. */
  lately: number | undefined;
}

/** What is spent of a key's budget, and what a key without one has spent lately. */
export function Budget({ apiKey, lately }: BudgetProps) {
  const { budget_micros: budget, spent_micros: spent, budget_period: period } = apiKey;
  if (budget === null || spent === null) {
    if (lately === undefined) return <Nothing />;
    return (
      <span>
        <Money micros={lately} /> in 30 days
      </span>
    );
  }
  return (
    <span className={styles['budget']}>
      <span>
        <Money micros={spent} /> of <Money micros={budget} /> a {period}
      </span>
      <meter min={0} max={budget} high={budget * 0.8} value={spent} aria-label="Spent of the budget" />
    </span>
  );
}
