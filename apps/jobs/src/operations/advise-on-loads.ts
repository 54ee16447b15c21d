import { HOUR_MS, type InstanceHour } from '../scheduling/instance-hours.repository';

/** Of its time, which an instance may spend loading without advice. */
const LOADING_MAX = 0.3;
/** An instance that works more than this has no time for another model. */
const BUSY = 0.8;
const IDLE = 0.5;

/** What would help an instance that loads models for too much of its time; null for any other one. */
export function adviseOnLoads(hour: InstanceHour, all: readonly InstanceHour[]): string | null {
  if (hour.loading_ms <= LOADING_MAX * HOUR_MS) return null;
  const percent = Math.round((hour.loading_ms / HOUR_MS) * 100);
  const why = `It spent ${percent} % of the last hour loading: ${hour.loads} loads of ${hour.templates} models.`;
  const idle = all.find((other) => other.provider !== hour.provider && other.idle_ms > IDLE * HOUR_MS);
  if (idle) return `${why} A route of one of them to ${idle.provider}, which was idle most of the time, would help.`;
  if (hour.running_ms + hour.loading_ms > BUSY * HOUR_MS)
    return `${why} Another instance with the routes of some of them would help.`;
  return `${why} A higher KINORA_STAY_LOADS or KINORA_STAY_SECONDS would help; jobs of other models then wait longer.`;
}
