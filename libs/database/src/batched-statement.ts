import { type CallContext, Batcher, currentCall, runInCall } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type Enter, type SpanShape, captureTrace, inSpan } from '@kinora/tracing';

/** As a batch of this size costs little more than one row, and a larger one would keep its first row waiting. */
const MAX_ITEMS = 32;
/** One batch is under way while the next one is being written down by the server; more would only meet at the same rows. */
const MAX_CONCURRENT = 2;

/** From the moment that it is asked for: the statement itself belongs to the trace of whoever is first in the batch. */
const BATCH_SPAN: SpanShape = { kind: 'internal' };

interface Waiting<Item, Result> {
  item: Item;
  /** Back into the trace of whoever asked. */
  enter: Enter;
  key: string;
  /** Whose time it is done in: past its deadline nobody waits for the result. Undefined where the service asks for itself. */
  call: CallContext | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatchedStatementOptions<Item, Result> {
  /** Runs the statement for all items of a batch, and gives their results in the same order. */
  run: (items: Item[]) => Promise<Result[]>;
  /** Between whom the batches are shared fairly; left out, between the accounts of the calls. */
  fairBy?: (item: Item) => string;
}

/**
 * One statement for all that ask for it together. Whoever comes alone is served at once. What is wrong with one item
 * never harms the others: a batch that fails is undone by PostgreSQL as a whole, and then each item is tried by itself.
 * No transaction waits for one: the batch may stand in line behind it, and all the others that hold a connection.
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
    return inSpan('set_statement', BATCH_SPAN, () => {
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
      if (results.length !== batch.length) throw new Error('A statement for a set must answer each of its items.');
      batch.forEach(({ resolve }, place) => resolve(results[place] as Result));
    } catch (error) {
      // A database that is away is away for each of them.
      if (batch.length === 1 || error instanceof ApiError) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((one) => this.runTogether([one])));
    }
  }

  /** In the call of one of them, if somebody waits for any: as that of a request it does not stand in line with sweeps. */
  private runFor(batch: Waiting<Item, Result>[]): Promise<Result[]> {
    const run = (): Promise<Result[]> => this.options.run(batch.map(({ item }) => item));
    const call = batch.find((one) => one.call)?.call;
    return call ? runInCall(call, run) : run();
  }
}
