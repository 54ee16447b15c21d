import { imagesOf, isInFlight, type Job, mediaUrl, promptOf } from '../../api/customer';
import type { Column } from '../../components/table';
import { Badge, Money, Time } from '../../components/values';
import { elapsedMs, formatDuration } from '../../formatting/format';
import { Link } from '../../router/navigation';
import styles from './jobs.module.css';

const THUMBNAIL = 128;
export const KINDS: Record<string, string> = {
  'image.generation': 'Image',
  'image.edit': 'Edit',
  'image.inpaint': 'Inpaint',
  'image.variation': 'Variation',
  'video.generation': 'Video',
};

export const kindOf = (job: Job) => KINDS[job.kind] ?? job.kind;

/** A job in one line. Its prompt is the link to its page. */
export const JOB_COLUMNS: readonly Column<Job>[] = [
  { name: 'Job', cell: (job) => <JobTitle job={job} /> },
  { name: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
  { name: 'Model', cell: ({ model }) => model, isExtra: true },
  {
    name: 'Cost',
    cell: (job) => (
      <>
        {isInFlight(job) && 'Reserved '}
        <Money micros={job.usage.charged_micros} />
      </>
    ),
    isNumber: true,
    isExtra: true,
  },
  {
    name: 'Took',
    cell: ({ created_at, completed_at }) =>
      completed_at === null ? '–' : formatDuration(elapsedMs(created_at, completed_at)),
    isNumber: true,
    isExtra: true,
  },
  { name: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true },
];

function JobTitle({ job }: { job: Job }) {
  const prompt = promptOf(job);
  const [image] = imagesOf(job);
  return (
    <span className={styles['title']}>
      <span className={styles['thumb']}>
        {image && image.url !== null && (
          <img src={mediaUrl(job.id, 0, THUMBNAIL)} alt="" loading="lazy" width={36} height={36} />
        )}
      </span>
      <span className={styles['text']}>
        <Link to={`/jobs/${job.id}`}>{prompt === '' ? job.id : prompt}</Link>
        <small>{kindOf(job)}</small>
      </span>
    </span>
  );
}
