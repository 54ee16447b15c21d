import { firstIdOf, monthAfter } from '@kinora/database';
import { type TestDatabase, endFirstMonth } from '@kinora/testing';
import { monthsOf } from '../spec-database.fixtures';

/** `million-growth.spec.ts` sets both. */
export const MANY_JOBS = Number(process.env.KINORA_MANY_JOBS ?? 1_000_000);
export const MONTHS = Number(process.env.KINORA_MANY_MONTHS ?? 1);
export const FEW_JOBS = 1_000;

/** Ended jobs were created in the months of thirty days before. */
export const MONTH_ENDS = new Date('2026-11-01T00:00:00Z');
export const SPAN_SECONDS = MONTHS * 30 * 24 * 60 * 60;
/** Partitions before the jobs, without a row. */
const EMPTY_MONTHS = 36;
const FILLED_AT_MS = Date.now();

const [END_MS, SPAN_MS] = [MONTH_ENDS.getTime(), SPAN_SECONDS * 1_000];

/** The id of a job by its number: of its time of creation, as ids are. Jobs behind the ended ones are of today. */
export function jobId(number: number): string {
  const hex = number.toString(16).padStart(12, '0');
  return firstIdOf(new Date(timeOf(number))).slice(0, 24) + hex;
}

function timeOf(number: number): number {
  if (number <= MANY_JOBS) return END_MS - Math.floor(((MANY_JOBS + 1 - number) * SPAN_MS) / MANY_JOBS);
  if (number <= MANY_JOBS + FEW_JOBS)
    return END_MS - Math.floor(((MANY_JOBS + FEW_JOBS + 1 - number) * SPAN_MS) / FEW_JOBS);
  return FILLED_AT_MS;
}

/** The same id as an SQL expression. */
export const jobIdSql = (number: string): string => `(
  lpad(to_hex(CASE
    WHEN ${number} <= ${MANY_JOBS} THEN ${END_MS} - (${MANY_JOBS + 1} - ${number})::bigint * ${SPAN_MS} / ${MANY_JOBS}
    WHEN ${number} <= ${MANY_JOBS + FEW_JOBS} THEN ${END_MS} - (${MANY_JOBS + FEW_JOBS + 1} - ${number})::bigint * ${SPAN_MS} / ${FEW_JOBS}
    ELSE ${FILLED_AT_MS} END), 12, '0') || '70008000' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** The first partition ends before the jobs, so that each of their months has its own, as after years. */
export async function makePartitions({ database }: TestDatabase): Promise<void> {
  await endFirstMonth(database, ['job', 'attempt'], monthAfter(MONTH_ENDS, -MONTHS - EMPTY_MONTHS));
  for (const months of monthsOf(database)) await months.maintain(new Date());
}
