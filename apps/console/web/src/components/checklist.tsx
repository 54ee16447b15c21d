import type { ReactNode } from 'react';
import styles from './checklist.module.css';
import { Icon } from './icon';

export interface Step {
  title: string;
  isOptional?: boolean;
  /** Null while it is not known. */
  isDone: boolean | null;
  /** What is missing, and where it is done; shown until then. */
  note: ReactNode;
  action?: ReactNode;
}

/** Steps that tick themselves off. */
export const Checklist = ({ steps }: { steps: readonly Step[] }) => (
  <ol className={styles['list']}>
    {steps.map(({ title, isOptional, isDone, note, action }) => (
      <li key={title}>
        <span className={isDone ? `${styles['mark']} ${styles['done']}` : styles['mark']}>
          {isDone && <Icon name="check" size={14} />}
          <span className="visually-hidden">{isDone ? 'Done:' : isDone === null ? 'Not known:' : 'Open:'}</span>
        </span>
        <span>
          {title} {isOptional && <small>optional</small>}
        </span>
        {!isDone && action}
        {!isDone && <span className={styles['note']}>{note}</span>}
      </li>
    ))}
  </ol>
);
