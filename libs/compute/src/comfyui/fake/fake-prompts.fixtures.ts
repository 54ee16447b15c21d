import type { Graph } from '../graph';
import type { EventSockets } from './event-sockets.fixtures';

export type QueueItem = [
  number: number,
  promptId: string,
  graph: Graph,
  extraData: Record<string, unknown>,
  outputs: string[],
];

/** The waiting prompts in a binary heap, as the server keeps them: the first is the next, and the others are unordered. */
export class PromptHeap {
  readonly items: QueueItem[] = [];

  push(item: QueueItem): void {
    let place = this.items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.numberAt(parent) <= item[0]) break;
      this.swap(place, parent);
      place = parent;
    }
  }

  pop(): QueueItem | undefined {
    const [first] = this.items;
    if (!first) return undefined;
    this.delete(first[1]);
    return first;
  }

  delete(promptId: string): void {
    const rest = this.items.filter(([, id]) => id !== promptId);
    this.items.length = 0;
    for (const item of rest) this.push(item);
  }

  private numberAt(place: number): number {
    return this.items[place]?.[0] ?? Infinity;
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.items[one], this.items[other]];
    if (a && b) [this.items[one], this.items[other]] = [b, a];
  }
}

export interface PromptEntry {
  prompt: QueueItem;
  outputs: Record<string, object>;
  status: { status_str: string; completed: boolean; messages: [string, object][] } | null;
  meta: Record<string, object>;
}

/** How a prompt ends: with files by their output node, or with a failure event. */
export type Ending =
  | { event: 'execution_success'; outputs: Record<string, object> }
  | { event: 'execution_error'; details: object }
  | { event: 'execution_interrupted'; details: object };

/** The queue and the history, in memory and for one prompt at a time. Events are sent before the history has the entry. */
export class FakePrompts {
  readonly pending = new PromptHeap();
  readonly history = new Map<string, PromptEntry>();
  running: { item: QueueItem; startedAtMs: number } | null = null;
  clockSkewMs = 0;
  private nextNumber = 0;

  constructor(private readonly sockets: EventSockets) {}

  get queueRemaining(): number {
    return this.pending.items.length + (this.running ? 1 : 0);
  }

  /** The id may repeat: two submissions with one id are two prompts. */
  push(promptId: string, graph: Graph, extraData: Record<string, unknown>, outputs: string[]): number {
    const number = this.nextNumber++;
    this.pending.push([number, promptId, graph, { ...extraData, create_time: this.nowMs() }, outputs]);
    this.sendQueueState();
    return number;
  }

  /** Starts the next prompt, unless one is running. */
  begin(): QueueItem | null {
    const item = this.running ? undefined : this.pending.pop();
    if (!item) return null;
    this.running = { item, startedAtMs: this.nowMs() };
    const [, promptId, graph] = item;
    this.sendQueueState();
    this.send('execution_start', { prompt_id: promptId, timestamp: this.nowMs() });
    this.send('execution_cached', { nodes: [], prompt_id: promptId, timestamp: this.nowMs() });
    for (const node of Object.keys(graph)) this.send('executing', { node, display_node: node, prompt_id: promptId });
    return item;
  }

  report(part: number): void {
    if (!this.running) return;
    const [, promptId, graph] = this.running.item;
    const stateOf = (id: string): object => ({ value: part * 100, max: 100, state: 'running', node_id: id });
    const nodes = Object.fromEntries(Object.keys(graph).map((id) => [id, stateOf(id)]));
    this.send('progress_state', { prompt_id: promptId, nodes });
  }

  end(ending: Ending): void {
    if (!this.running) return;
    const { item, startedAtMs } = this.running;
    const promptId = item[1];
    const outputs = ending.event === 'execution_success' ? ending.outputs : {};
    const last = {
      prompt_id: promptId,
      ...(ending.event === 'execution_success' ? {} : ending.details),
      timestamp: this.nowMs(),
    };
    for (const [node, output] of Object.entries(outputs))
      this.send('executed', { node, display_node: node, output, prompt_id: promptId });
    this.send(ending.event, last);
    const isSuccess = ending.event === 'execution_success';
    this.history.set(promptId, {
      prompt: item,
      outputs,
      status: {
        status_str: isSuccess ? 'success' : 'error',
        completed: isSuccess,
        messages: [
          ['execution_start', { prompt_id: promptId, timestamp: startedAtMs }],
          ['execution_cached', { nodes: [], prompt_id: promptId, timestamp: startedAtMs }],
          [ending.event, last],
        ],
      },
      meta: Object.fromEntries(Object.keys(outputs).map((id) => [id, metaOf(id)])),
    });
    const clientId = item[3]['client_id'];
    this.running = null;
    this.sendQueueState();
    this.sockets.send(clientId, 'executing', { node: null, prompt_id: promptId });
  }

  /** A restart clears everything in memory, including the counter of prompt numbers. */
  forget(): void {
    this.pending.items.length = 0;
    this.history.clear();
    this.running = null;
    this.nextNumber = 0;
  }

  private send(type: string, data: object): void {
    this.sockets.send(this.running?.item[3]['client_id'], type, data);
  }

  private sendQueueState(): void {
    this.sockets.broadcast('status', { status: { exec_info: { queue_remaining: this.queueRemaining } } });
  }

  private nowMs(): number {
    return Date.now() + this.clockSkewMs;
  }
}

function metaOf(id: string): object {
  return { node_id: id, display_node: id, parent_node: null, real_node_id: id };
}
