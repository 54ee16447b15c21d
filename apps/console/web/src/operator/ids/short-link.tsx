import { Breakable } from '../../components/values';
import { Link } from '../../router/navigation';
import { useAccountName } from './account-name';
import styles from './short-link.module.css';

/** Both ends of an id on one line, because ids of the same minute begin alike. */
const shortened = (id: string) => `${id.slice(0, 6)}…${id.slice(-6)}`;

export const JobLink = ({ id }: { id: string }) => (
  <span className={styles['link']} title={id}>
    <Link to={`/operator/jobs/${id}`}>{shortened(id)}</Link>
  </span>
);

/** By its name; by its id until the name is known. */
export function AccountLink({ id }: { id: string }) {
  const name = useAccountName(id);
  return (
    <span className={name === undefined ? styles['link'] : undefined} title={id}>
      <Link to={`/operator/accounts/${id}`}>{name === undefined ? shortened(id) : <Breakable text={name} />}</Link>
    </span>
  );
}
