import { Link } from '../../router/navigation';
import styles from './short-link.module.css';

/** A link whose text is an id: both ends of it on one line, because ids of the same minute begin alike. */
function ShortLink({ to, id }: { to: string; id: string }) {
  return (
    <span className={styles['link']} title={id}>
      <Link to={`${to}/${id}`}>{`${id.slice(0, 6)}…${id.slice(-6)}`}</Link>
    </span>
  );
}

export const JobLink = ({ id }: { id: string }) => <ShortLink to="/operator/jobs" id={id} />;
export const AccountLink = ({ id }: { id: string }) => <ShortLink to="/operator/accounts" id={id} />;
