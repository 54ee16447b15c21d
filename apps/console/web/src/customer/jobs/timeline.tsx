import { Time } from '../../components/values';
import styles from './jobs.module.css';
import type { Step } from './job-timeline';

export function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles['timeline']}>
      {steps.map((step) => (
        <li key={`${step.name} ${step.at}`} className={styles[step.tone]}>
          <strong>{step.name}</strong>
          {step.detail !== '' && <span>{step.detail}</span>}
          <span>
            <Time at={step.at} exact />
          </span>
        </li>
      ))}
    </ol>
  );
}
