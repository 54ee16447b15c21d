import { type Database, statement } from '@kinora/database';
import { CachedRead } from './cached-read';

const FRESH_MS = 1_000;
/** Every so many places of a queue one is known. */
const SPACING = 100;

/** The whole queue of a model, by an index alone. */
const READ = statement(
  'queue_marks_read',
  `SELECT turn, claimable_at
     FROM (SELECT turn, claimable_at, row_number() OVER (ORDER BY turn, claimable_at) AS place
             FROM job WHERE model = $1 AND claimable_at IS NOT NULL) AS queue
    WHERE place % ${SPACING} = 0 ORDER BY turn, claimable_at`,
);

/** What the fair queue of a model is ordered by. */
export interface QueueRank {
  turn: number;
  claimable_at: Date;
}

/**
 * Places far behind in long queues. The queue of a model is read at most once a second, however many clients ask, so a read of
 * the progress costs the same with any number of waiting jobs.
 */
export class QueueMarks {
  private readonly marks = new Map<string, CachedRead<QueueRank[]>>();

  constructor(private readonly database: Database) {}

  /** How many jobs have a lower rank, rounded down to hundreds. */
  async countBefore(model: string, rank: QueueRank | { turn: number }): Promise<number> {
    const marks = await this.marksOf(model).get();
    return SPACING * marks.filter((mark) => isBefore(mark, rank)).length;
  }

  private marksOf(model: string): CachedRead<QueueRank[]> {
    const known = this.marks.get(model);
    if (known) return known;
    const marks = new CachedRead(FRESH_MS, () => this.database.query<QueueRank>(READ, [model]));
    this.marks.set(model, marks);
    return marks;
  }
}

/** A rank without a time is behind all others of its turn. */
function isBefore(mark: QueueRank, rank: QueueRank | { turn: number }): boolean {
  if (mark.turn !== rank.turn) return mark.turn < rank.turn;
  return !('claimable_at' in rank) || mark.claimable_at < rank.claimable_at;
}
