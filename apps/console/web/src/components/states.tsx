import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../api/client';
import { Button } from './button';
import { Icon } from './icon';
import styles from './states.module.css';

/** Says that data comes; a quick answer replaces it before it is visible. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles['loading']} role="status">
      <span className="visually-hidden">{label}…</span>
      <span className={styles['bar']} />
      <span className={styles['bar']} />
      <span className={styles['bar']} />
    </div>
  );
}

/** Why there is nothing, and what to do about it. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <p className={styles['title']}>{title}</p>
      {children && <p className={styles['text']}>{children}</p>}
      {action}
    </div>
  );
}

const REMEDIES: Record<string, string> = {
  scope_required: 'This session may not do that. Sign in with a key of the scope account.',
  rate_limit_exceeded: 'Too many requests in one minute. Wait a moment, then try again.',
  unreachable: '',
};

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const known = error instanceof ApiError ? error : null;
  const remedy = known && REMEDIES[known.code];
  return (
    <div className={styles['failure']} role="alert">
      <Icon name="alert" />
      <div>
        <p className={styles['title']}>{remedy ?? messageOf(error)}</p>
        {remedy && <p className={styles['text']}>{messageOf(error)}</p>}
        {known?.requestId && (
          <p className={styles['text']}>
            Request <code>{known.requestId}</code>
          </p>
        )}
      </div>
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** The content of a query in one of its three states. Data that is there stays while it is read again. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}
