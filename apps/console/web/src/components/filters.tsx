import type { ReactNode } from 'react';
import styles from './filters.module.css';

/** The fields above a table that decide what it shows. */
export const Filters = ({ children }: { children: ReactNode }) => <div className={styles['filters']}>{children}</div>;
