import { type ReactNode, useContext, useEffect, useState } from 'react';
import { ApiError, messageOf } from '../api/client';
import { referenceUrl, SessionContext } from '../api/customer';
import { Button } from './button';
import { Icon } from './icon';
import { Card, Page } from './page';
import { Breakable } from './values';
import styles from './states.module.css';

const SLOW_MS = 3_000;

/** A placeholder for data. It appears after a moment only, so quick answers do not flicker. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles['loading']} role="status">
      <span className="visually-hidden">{label}…</span>
      <span className={styles['bar']} />
      <span className={styles['bar']} />
      <span className={styles['bar']} />
      {isSlow && <p className={styles['text']}>This takes longer than usual.</p>}
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
  rate_limited: 'Too many requests in one minute. Wait a moment, then try again.',
};

/** The same content is refused again. */
export const isBlocked = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code.startsWith('content_blocked');

/** Of errors that no service has answered. */
const PAGE_CODES = new Set(['unreachable', 'unknown']);
/** Those that only the console answers are in no reference. */
const CONSOLE_CODES = new Set(['not_signed_in', 'cross_site', 'capability_required', 'role_required']);

/** A code with its explanation in the API reference. */
export function ErrorCode({ code }: { code: string }) {
  const session = useContext(SessionContext);
  const text = (
    <code>
      <Breakable text={code} />
    </code>
  );
  if (!session || CONSOLE_CODES.has(code)) return text;
  return (
    <a href={referenceUrl(session.api_base_url, code)} referrerPolicy="origin">
      {text}
    </a>
  );
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const known = error instanceof ApiError ? error : null;
  const remedy = known && REMEDIES[known.code];
  const code = known && !PAGE_CODES.has(known.code) ? known.code : null;
  return (
    <div className={styles['failure']} role="alert">
      <Icon name="alert" />
      <div>
        <p className={styles['title']}>{remedy ?? messageOf(error)}</p>
        {remedy && <p className={styles['text']}>{messageOf(error)}</p>}
        {code !== null && (
          <p className={styles['text']}>
            <ErrorCode code={code} />
          </p>
        )}
        {known?.requestId && (
          <p className={styles['text']}>
            Request <code>{known.requestId}</code>
          </p>
        )}
      </div>
      {retry && !isBlocked(error) && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** What to say of an id that does not exist. */
  unknown?: readonly [title: string, text: string];
  children: (data: Data) => ReactNode;
}

/** The content of a query in one of its states. Data that cannot be read again stays, below the error, because it may be old. */
export function Loaded<Data>({ query, unknown, children }: LoadedProps<Data>) {
  const { data, error } = query;
  if (unknown && error instanceof ApiError && [400, 404].includes(error.status)) {
    return (
      <Card>
        <Empty title={unknown[0]}>{unknown[1]}</Empty>
      </Card>
    );
  }
  return (
    <>
      {error ? <Failure error={error} retry={() => void query.refetch()} /> : null}
      {data !== undefined ? children(data) : !error && <Loading />}
    </>
  );
}

export function MissingPage() {
  return (
    <Page title="Not found">
      <Card>
        <Empty title="There is no page at this address">Choose one from the menu.</Empty>
      </Card>
    </Page>
  );
}
