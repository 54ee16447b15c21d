import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { postFile } from '../../api/client';
import { Entrance } from '../../components/entrance';
import { Failure, Loading } from '../../components/states';
import { Facts, Time } from '../../components/values';
import { Link } from '../../router/navigation';
import styles from './check-page.module.css';
import { describeCheck, type ProvenanceCheck } from './describe-check';

const TYPES = 'image/png,image/jpeg,image/webp,video/mp4';

/** Says to anybody, without a sign-in, where a file comes from. */
export function CheckPage() {
  const [isOver, setOver] = useState(false);
  const check = useMutation({
    mutationFn: (file: File) => postFile<ProvenanceCheck>('/admin/v1/provenance/check', file),
  });
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) check.mutate(file);
  };
  return (
    <Entrance
      title="Check a file"
      intro="Find out whether this service has made an image or a video, and what the file says about itself. The file is not kept."
      foot={<Link to="/">Sign in to the console</Link>}
    >
      <div
        className={`${styles['drop']} ${isOver ? styles['over'] : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label htmlFor="file">Drop a PNG, JPEG, WebP or MP4 here, or choose one</label>
        <input
          id="file"
          type="file"
          accept={TYPES}
          onChange={({ target }) => target.files?.[0] && check.mutate(target.files[0])}
        />
      </div>
      <div className={styles['findings']} aria-live="polite">
        {check.isPending && <Loading label="Checking the file" />}
        {check.error && <Failure error={check.error} />}
        {check.data && <Result check={check.data} />}
      </div>
    </Entrance>
  );
}

function Result({ check }: { check: ProvenanceCheck }) {
  const { credential, match } = check;
  const facts = [
    ['Made', match?.created_at ?? credential?.created_at ?? null],
    ['Model', match?.model ?? credential?.model ?? null],
    ['Signed by', credential?.signer ?? null],
  ] as const;
  const known = facts.filter(([, value]) => value !== null);
  return (
    <>
      {describeCheck(check).map(({ title, text }) => (
        <section key={title}>
          <h2>{title}</h2>
          <p>{text}</p>
        </section>
      ))}
      {known.length > 0 && (
        <Facts facts={known.map(([name, value]) => [name, name === 'Made' ? <Time at={value} exact /> : value])} />
      )}
      {credential && credential.ingredients.length > 0 && (
        <section>
          <h2>Made from</h2>
          <ul>
            {credential.ingredients.map(({ title, signer }, place) => (
              <li key={place}>{[title ?? 'a file without a name', signer].filter(Boolean).join(', signed by ')}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
