import type { ApiKey } from '../../api/customer';
import { Money, Nothing } from '../../components/values';
import styles from './keys.module.css';

/** What is spent of a key's budget. */
export function Budget({ apiKey }: { apiKey: ApiKey }) {
  const { budget_micros: budget, spent_micros: spent, budget_period: period } = apiKey;
  if (budget === null || spent === null) return <Nothing />;
  return (
    <span className={styles['budget']}>
      <span>
        <Money micros={spent} /> of <Money micros={budget} /> a {period}
      </span>
      <meter min={0} max={budget} high={budget * 0.8} value={spent} aria-label="Spent of the budget" />
    </span>
  );
}
