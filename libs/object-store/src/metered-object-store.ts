import { startStopwatch } from '@kinora/metrics';
import {
  type ByteRange,
  type ListedObject,
  type ListedPage,
  ObjectNotFound,
  type ObjectStat,
  ObjectStore,
  type OpenedObject,
} from './object-store';
import { operationDuration } from './object-store.metrics';

/** A store that records the duration and the outcome of its operations as metrics. */
export class MeteredObjectStore extends ObjectStore {
  constructor(private readonly store: ObjectStore) {
    super();
  }

  put(key: string, bytes: Buffer, meta: { mime: string }): Promise<void> {
    return metered('put', () => this.store.put(key, bytes, meta));
  }

  get(key: string): Promise<Buffer> {
    return metered('get', () => this.store.get(key));
  }

  open(key: string, range?: ByteRange): Promise<OpenedObject> {
    return metered('open', () => this.store.open(key, range));
  }

  stat(key: string): Promise<ObjectStat | null> {
    return metered('stat', () => this.store.stat(key));
  }

  delete(key: string): Promise<void> {
    return metered('delete', () => this.store.delete(key));
  }

  list(folder: string, pageSize?: number): AsyncGenerator<ListedObject[]> {
    return this.store.list(folder, pageSize);
  }

  listAfter(folder: string, after: string | null, limit: number): Promise<ListedPage> {
    return this.store.listAfter(folder, after, limit);
  }

  deleteUnfinished(): Promise<number> {
    return this.store.deleteUnfinished();
  }
}

async function metered<Result>(operation: string, work: () => Promise<Result>): Promise<Result> {
  const seconds = startStopwatch();
  let outcome = 'ok';
  try {
    return await work();
  } catch (error) {
    outcome = error instanceof ObjectNotFound ? 'missing' : 'failed';
    throw error;
  } finally {
    operationDuration.of({ operation, outcome }).observe(seconds());
  }
}
