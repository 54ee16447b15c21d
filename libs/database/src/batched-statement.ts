import { type CallContext, Batcher, currentCall, runInCall } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type Enter, type SpanShape, captureTrace, inSpan } from '@kinora/tracing';

/** A batch of this size costs little more than one row, and a larger one would delay its first row. */
const MAX_ITEMS = 32;
/** A second batch may start while the server writes the first one. A third would only wait for locks on the same rows. */
const MAX_CONCURRENT = 2;

/** Measures from the call of `run`. The span of the statement itself belongs to the trace of the first item in the batch. */
const BATCH_SPAN: SpanShape = { kind: 'internal' };
const BATCH_SPAN_NAME = 'set_statement';

interface Waiting<Item, Result> {
  item: Item;
  /** Restores the trace of the caller. */
  enter: Enter;
  key: string;
  /** Call that waits for the result; after its deadline the item is skipped. Undefined for the service's own work. */
  call: CallContext | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatchedStatementOptions<Item, Result> {
  /** Runs the statement for all items of a batch, and returns their results in the same order. */
  run: (items: Item[]) => Promise<Result[]>;
  /** Key by which batches are shared fairly; the account of the call by default. */
  fairBy?: (item: Item) => string;
}

/**
 * Micro-batching: one statement for all items that arrive together. A single item runs at once. A wrong item never affects the
 * others: PostgreSQL rolls the batch back as a whole, and each item is then run by itself. Never await `run` inside a
 * transaction. The batch may wait for a connection, behind transactions that hold all of them.
 */
export class BatchedStatement<Item, Result> {
  private readonly batcher: Batcher<Waiting<Item, Result>>;

  constructor(private readonly options: BatchedStatementOptions<Item, Result>) {
    this.batcher = new Batcher({
      maxItems: MAX_ITEMS,
      maxConcurrent: MAX_CONCURRENT,
      keyOf: ({ key }) => key,
      work: (waiting) => this.serve(waiting),
    });
  }

  run(item: Item): Promise<Result> {
    const call = currentCall();
    const key = this.options.fairBy?.(item) ?? call?.accountId ?? '';
    return inSpan(BATCH_SPAN_NAME, BATCH_SPAN, () => {
      const enter = captureTrace();
      return new Promise((resolve, reject) => this.batcher.add({ item, enter, key, call, resolve, reject }));
    });
  }

  private async serve(batch: Waiting<Item, Result>[]): Promise<void> {
    const now = performance.now();
    const awaited = batch.filter(({ call }) => !call || call.deadlineAtMs > now);
    for (const late of batch) if (!awaited.includes(late)) late.reject(ApiError.unavailable('The database'));
    await this.runTogether(awaited);
  }

  private async runTogether(batch: Waiting<Item, Result>[]): Promise<void> {
    const [first] = batch;
    if (!first) return;
    try {
      const results = await first.enter(() => this.runFor(batch));
      if (results.length !== batch.length)
        throw new Error('A batched statement must return one result for each of its items.');
      batch.forEach(({ resolve }, place) => resolve(results[place] as Result));
    } catch (error) {
      // A database that is away fails every item, so running each by itself would not help.
      if (batch.length === 1 || error instanceof ApiError) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((one) => this.runTogether([one])));
    }
  }

  /** Runs in the call of one of the items, if any belongs to a call: the statement then skips the queue of background work. */
  private runFor(batch: Waiting<Item, Result>[]): Promise<Result[]> {
    const run = (): Promise<Result[]> => this.options.run(batch.map(({ item }) => item));
    const call = batch.find((one) => one.call)?.call;
    return call ? runInCall(call, run) : run();
  }
}
