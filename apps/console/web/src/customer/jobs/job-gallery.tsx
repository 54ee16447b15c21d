import { imagesOf, type Job, mediaUrl, promptOf, videoOf } from '../../api/customer';
import { Badge } from '../../components/values';
import { Link } from '../../router/navigation';
import { kindOf } from './job-columns';
import styles from './job-gallery.module.css';

/** Jobs by what they made; a video by its first frame. */
export function JobGallery({ jobs }: { jobs: readonly Job[] }) {
  return (
    <ul className={styles['gallery']} aria-label="Jobs">
      {jobs.map((job) => (
        <li key={job.id}>
          <Link to={`/jobs/${job.id}`}>
            <Poster job={job} />
            <span>{promptOf(job) || kindOf(job)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Poster({ job }: { job: Job }) {
  const [image] = imagesOf(job);
  if (image?.url) return <img src={mediaUrl(job.id, 0, 256)} alt="" loading="lazy" />;
  // The fragment makes a browser show that moment instead of an empty frame.
  if (videoOf(job)?.url) return <video src={`${mediaUrl(job.id, 0)}#t=0.1`} preload="metadata" muted playsInline />;
  return (
    <span className={styles['none']}>
      <Badge>{job.status}</Badge>
    </span>
  );
}
