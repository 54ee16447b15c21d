import { Injectable } from '@nestjs/common';
import { Database, statement, inOpenMonths } from '@kinora/database';

export const HOUR_MS = 3_600_000;
/** A task that was lost or canceled has had its instance for at most so long, as far as anyone knows. */
const UNKNOWN_MS = 300_000;
/** Of the first run after a load, where no other run of the template is known. */
const RUN_PART = 1 / 3;

/** What an instance that loads models did in the last hour. Its parts add up to an hour. */
export interface InstanceHour {
  provider: string;
  running_ms: number;
  loading_ms: number;
  idle_ms: number;
  /** With tasks that were lost or canceled. */
  unknown_ms: number;
  loads: number;
  templates: number;
}

/** Of the open tasks of an instance, only the first is at work. */
const LIST = statement(
  'instance_hour_list',
  `WITH run AS MATERIALIZED (
     SELECT instance.id AS provider, recent.template, recent.is_load, CASE
              WHEN recent.gpu_ms IS NOT NULL THEN recent.gpu_ms
              WHEN attempt.state IS NOT NULL AND recent.started_at = min(recent.started_at) FILTER (WHERE attempt.state IS NOT NULL)
                   OVER (PARTITION BY instance.id)
                THEN extract(epoch FROM clock_timestamp() - greatest(recent.started_at, max(recent.ended_at) OVER (PARTITION BY instance.id))) * 1000
            END::double precision AS work_ms,
            CASE WHEN recent.gpu_ms IS NULL AND attempt.state IS NULL THEN least(${UNKNOWN_MS}, extract(epoch FROM coalesce(
              lead(recent.started_at) OVER (PARTITION BY instance.id ORDER BY recent.started_at), clock_timestamp())
              - recent.started_at) * 1000) ELSE 0 END::double precision AS unknown_ms
       FROM unnest($1::text[]) AS instance (id)
       JOIN instance_run AS recent ON recent.provider = instance.id AND recent.started_at > now() - interval '1 hour'
       LEFT JOIN attempt ON recent.gpu_ms IS NULL AND attempt.job_id = recent.job_id AND attempt.number = recent.number
                        AND attempt.state NOT IN ('ended', 'collecting') AND ${inOpenMonths('attempt.job_id')}
   ), usual AS (
     SELECT provider, template, percentile_cont(0.5) WITHIN GROUP (ORDER BY work_ms) AS ms
       FROM run WHERE NOT is_load AND work_ms IS NOT NULL GROUP BY provider, template
   )
   SELECT provider, count(*) FILTER (WHERE is_load) AS loads, count(DISTINCT template) AS templates,
          sum(coalesce(work_ms, 0)) AS work_ms, sum(unknown_ms) AS unknown_ms,
          sum(CASE WHEN is_load THEN greatest(work_ms - coalesce(usual.ms, work_ms * ${RUN_PART}), 0) ELSE 0 END) AS loading_ms
     FROM run LEFT JOIN usual USING (provider, template) GROUP BY provider`,
);

interface HourRow extends Pick<InstanceHour, 'provider' | 'loads' | 'templates' | 'unknown_ms'> {
  work_ms: number;
  loading_ms: number | null;
}

@Injectable()
export class InstanceHoursRepository {
  constructor(private readonly database: Database) {}

  /** One for each of these instances. */
  async list(providers: string[]): Promise<InstanceHour[]> {
    if (providers.length === 0) return [];
    const rows = await this.database.query<HourRow>(LIST, [providers]);
    return providers.map((provider) =>
      toHour(
        provider,
        rows.find((row) => row.provider === provider),
      ),
    );
  }
}

/** The first task may have begun before the hour, so the parts are cut to it. */
function toHour(provider: string, row: HourRow | undefined): InstanceHour {
  const { work_ms = 0, unknown_ms: lost = 0, loads = 0, templates = 0 } = row ?? {};
  const busyMs = Math.min(Math.round(work_ms), HOUR_MS);
  const loading_ms = Math.min(Math.round(row?.loading_ms ?? 0), busyMs);
  const unknown_ms = Math.min(Math.round(lost), HOUR_MS - busyMs);
  const idle_ms = HOUR_MS - busyMs - unknown_ms;
  return { provider, running_ms: busyMs - loading_ms, loading_ms, idle_ms, unknown_ms, loads, templates };
}
