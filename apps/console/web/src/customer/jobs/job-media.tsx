import { type CSSProperties, type ReactNode, useState } from 'react';
import { ApiError } from '../../api/client';
import { imagesOf, isInFlight, type Job, mediaUrl, promptOf, useMay, useModels, videoOf } from '../../api/customer';
import { Empty, Failure } from '../../components/states';
import { formatBytes } from '../../formatting/format';
import { Link } from '../../router/navigation';
import { draftOf, type Operation, modelsFor } from '../draft/draft';
import { playgroundLink, sourcesOfJob } from '../draft/draft-link';
import styles from './job-media.module.css';
import { Progress } from './progress';

/** The form of the same job, with the outputs that it was made from. */
export const runAgainLink = (job: Job) => playgroundLink(draftOf(job), sourcesOfJob(job));

/** The files of a job, or why there are none. @param before the image that was edited, where the page still has it */
export function JobMedia({ job, before = null }: { job: Job; before?: string | null }) {
  if (isInFlight(job)) return <Progress job={job} />;
  if (job.error) return <Failure error={new ApiError(job.error.message, 0, job.error.code)} />;
  const [images, video] = [imagesOf(job), videoOf(job)];
  if (job.status === 'canceled') return <Empty title="Canceled">The price went back to the balance.</Empty>;
  if (images.every(({ url }) => url === null) && (video === null || video.url === null)) {
    return <Empty title="The files are deleted">Run the job again to make them anew.</Empty>;
  }
  return (
    <div className={styles['media']}>
      {images.map((image, index) => {
        const alt = images.length > 1 ? `${promptOf(job)} (${index + 1} of ${images.length})` : promptOf(job);
        const [width, height] = [image.width ?? undefined, image.height ?? undefined];
        const src = mediaUrl(job.id, index, images.length > 1 ? 512 : 1024);
        return (
          <Output key={index} job={job} index={index} note={`${width} × ${height}, ${formatBytes(image.bytes)}`}>
            <Compared before={before ?? beforeOf(job)}>
              <a href={mediaUrl(job.id, index)} target="_blank" rel="noreferrer">
                <img src={src} alt={alt} width={width} height={height} />
              </a>
            </Compared>
          </Output>
        );
      })}
      {video && (
        <Output job={job} index={0} note={`${video.duration} s, ${formatBytes(video.bytes)}`} isVideo>
          <video src={mediaUrl(job.id, 0)} controls loop muted playsInline aria-label={promptOf(job) || 'The video'} />
        </Output>
      )}
    </div>
  );
}

/** The output that an edit was made from. */
function beforeOf(job: Job): string | null {
  const [jobId, index] = sourcesOfJob(job)[0]?.split('/') ?? [];
  return job.kind === 'image.edit' && jobId ? mediaUrl(jobId, Number(index), 1024) : null;
}

/** A slider between an image and the one that it was made from, while that exists. */
function Compared({ before, children }: { before: string | null; children: ReactNode }) {
  const [share, setShare] = useState(50);
  const [isThere, setThere] = useState(false);
  if (before === null) return children;
  return (
    <div className={styles['compared']} style={{ '--share': `${share}%` } as CSSProperties}>
      <div>
        {children}
        <img src={before} alt="" hidden={!isThere} onLoad={() => setThere(true)} onError={() => setThere(false)} />
      </div>
      {isThere && (
        <label>
          <span>Before</span>
          <input
            type="range"
            aria-label="Before and after"
            aria-valuetext={`${share} % before`}
            value={share}
            onChange={(event) => setShare(Number(event.target.value))}
          />
          <span>After</span>
        </label>
      )}
    </div>
  );
}

interface OutputProps {
  job: Job;
  index: number;
  note: string;
  isVideo?: boolean;
  children: ReactNode;
}

/** A file, and what can be made of it. */
function Output({ job, index, note, isVideo = false, children }: OutputProps) {
  const models = useModels().data ?? [];
  const mayCreate = useMay('create');
  const source = `${job.id}/${index}`;
  const uses: readonly (readonly [string, Operation])[] = [
    ['Edit this', 'images.edits'],
    ['Animate', 'videos.generations'],
  ];
  return (
    <figure>
      {children}
      <figcaption>
        <span>{note}</span>
        <div>
          {mayCreate && (
            <>
              {uses.map(([name, operation]) =>
                isVideo || modelsFor(operation, models).length === 0 ? null : (
                  <Link key={name} to={playgroundLink({ operation }, [source])}>
                    {name}
                  </Link>
                ),
              )}
              <Link to={playgroundLink({ ...draftOf(job), seed: '' }, sourcesOfJob(job))}>Vary</Link>
            </>
          )}
          <a href={mediaUrl(job.id, index)} download={isVideo ? job.id : `${job.id}-${index}`}>
            Save
          </a>
        </div>
      </figcaption>
    </figure>
  );
}
