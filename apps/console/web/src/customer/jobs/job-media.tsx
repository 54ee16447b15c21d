import { imagesOf, isInFlight, type Job, mediaUrl, promptOf, videoOf } from '../../api/customer';
import { Empty, Failure } from '../../components/states';
import { formatBytes } from '../../formatting/quantity';
import styles from './jobs.module.css';
import { Progress } from './progress';

/** The files of a job, or why there are none. */
export function JobMedia({ job }: { job: Job }) {
  if (isInFlight(job)) return <Progress job={job} />;
  if (job.error) return <Failure error={new Error(`${job.error.code}: ${job.error.message}`)} />;
  const [images, video] = [imagesOf(job), videoOf(job)];
  if (job.status === 'canceled') return <Empty title="Canceled">The price went back to the balance.</Empty>;
  if (images.every(({ url }) => url === null) && (video === null || video.url === null)) {
    return <Empty title="The files are deleted">Run the job again to make them anew.</Empty>;
  }
  return (
    <div className={styles['media']}>
      {images.map((image, index) => (
        <figure key={index}>
          <a href={mediaUrl(job.id, index)} target="_blank" rel="noreferrer">
            <img
              src={mediaUrl(job.id, index, images.length > 1 ? 512 : 1024)}
              alt={images.length > 1 ? `${promptOf(job)} (${index + 1} of ${images.length})` : promptOf(job)}
              width={image.width ?? undefined}
              height={image.height ?? undefined}
            />
          </a>
          <figcaption>
            <span>
              {image.width} × {image.height}, {formatBytes(image.bytes)}
            </span>
            <a href={mediaUrl(job.id, index)} download={`${job.id}-${index}`}>
              Save
            </a>
          </figcaption>
        </figure>
      ))}
      {video && (
        <figure>
          <video src={mediaUrl(job.id, 0)} controls loop muted playsInline aria-label={promptOf(job) || 'The video'} />
          <figcaption>
            <span>
              {video.duration} s, {formatBytes(video.bytes)}
            </span>
            <a href={mediaUrl(job.id, 0)} download={job.id}>
              Save
            </a>
          </figcaption>
        </figure>
      )}
    </div>
  );
}
