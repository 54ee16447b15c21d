interface Queued {
  /** Identifies the task: drawings with the same signal belong to the same task. */
  readonly signal: AbortSignal;
}

const MAX_FRESH_IN_A_ROW = 3;

/**
 * Round-robin scheduling over tasks: one drawing of each task in turn. Tasks of which nothing has been drawn go first,
 * in their order: a single image does not wait for a backlog of long tasks. At least every fourth drawing is of a task
 * that has begun, so that new tasks cannot starve it.
 */
export class DrawingQueue<Drawing extends Queued> {
  private readonly fresh = new Map<AbortSignal, Drawing[]>();
  private readonly begun = new Map<AbortSignal, Drawing[]>();
  /** Tasks whose first drawing was taken, also while none of their drawings waits. */
  private readonly started = new WeakSet<AbortSignal>();
  private freshInARow = 0;

  add(drawing: Drawing): void {
    const { signal } = drawing;
    const tasks = this.started.has(signal) ? this.begun : this.fresh;
    tasks.set(signal, [...(tasks.get(signal) ?? []), drawing]);
  }

  delete(drawing: Drawing): void {
    for (const tasks of [this.fresh, this.begun]) this.remove(tasks, drawing);
  }

  next(): Drawing | undefined {
    const isBegunNext = this.freshInARow >= MAX_FRESH_IN_A_ROW && this.begun.size > 0;
    const isFresh = this.fresh.size > 0 && !isBegunNext;
    const tasks = isFresh ? this.fresh : this.begun;
    const [drawing, ...rest] = [...tasks.values()][0] ?? [];
    if (!drawing) return undefined;
    this.freshInARow = isFresh ? this.freshInARow + 1 : 0;
    this.started.add(drawing.signal);
    tasks.delete(drawing.signal);
    if (rest.length > 0) this.begun.set(drawing.signal, rest);
    return drawing;
  }

  /** Moves the task of a completed drawing behind all tasks that have arrived meanwhile. */
  finish({ signal }: Drawing): void {
    const rest = this.begun.get(signal);
    if (!rest) return;
    this.begun.delete(signal);
    this.begun.set(signal, rest);
  }

  private remove(tasks: Map<AbortSignal, Drawing[]>, drawing: Drawing): void {
    const rest = (tasks.get(drawing.signal) ?? []).filter((one) => one !== drawing);
    if (rest.length > 0) tasks.set(drawing.signal, rest);
    else tasks.delete(drawing.signal);
  }
}
