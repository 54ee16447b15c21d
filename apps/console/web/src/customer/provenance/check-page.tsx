import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { postFile } from '../../api/client';
import { Entrance } from '../../components/entrance';
import { Failure, Loading } from '../../components/states';
import { Link } from '../../router/navigation';
import styles from './check-page.module.css';
import { CheckResult } from './check-result';
import { CHECK_ROUTE, type ProvenanceCheck } from './describe-check';

const TYPES = 'image/png,image/jpeg,image/webp,video/mp4';

/** Says to anybody, without a sign-in, where a file comes from. */
export function CheckPage() {
  const [isOver, setOver] = useState(false);
  const check = useMutation({
    mutationFn: (file: File) => postFile<ProvenanceCheck>(CHECK_ROUTE, file),
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
        {check.data && <CheckResult check={check.data} heading="h2" />}
      </div>
    </Entrance>
  );
}
