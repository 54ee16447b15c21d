import type { UpstreamTask } from '../../../../libs/compute/src/compute-provider.port';
import type { AttemptRow } from './attempt.row';

/** An attempt as its provider knows it. */
export function toUpstreamTask({ upstream_id: id, upstream_ref: ref }: AttemptRow): UpstreamTask {
  return { id, ref };
}
