/** What a model costs at an instance that has to load it. */
export interface ModelRoute {
  instance: string;
  /** What the instance loads for the model: its template. Two models with one template share it. */
  template: string;
  order: number;
  weight: number;
  runMs: number;
  loadMs: number;
}

/** A job, as far as its place in time depends on it. */
export interface Token {
  account: string;
  arrivedAtMs: number;
}

export interface WaitingModel {
  model: string;
  routes: ModelRoute[];
  /** The next jobs, in the order in which they are claimed. */
  next: Token[];
  /** How many wait in all. */
  waiting: number;
}

/** A job that an instance has run or runs. */
export interface PastRun extends Token {
  model: string;
  instance: string;
  template: string;
  startedAtMs: number;
}

/** An instance that loads models, which takes time. */
export interface InstanceState {
  id: string;
  /** What it will have loaded after its open tasks; null if that is not known. */
  loaded: string | null;
  /** When its open tasks will have ended. */
  freeAtMs: number;
  openTasks: number;
  /** How many more tasks it may get now. */
  places: number;
  /** How long it has worked since it loaded what it has. */
  stayedMs: number;
}

/** How long an instance may stay with a model while others wait. */
export interface StayBounds {
  /** In times of a load. */
  loads: number;
  ms: number;
}

export interface SchedulingState {
  nowMs: number;
  bounds: StayBounds;
  instances: InstanceState[];
  queues: WaitingModel[];
  /** Since the last moment at which nothing waited; the oldest first. */
  past: PastRun[];
}

/** The next job of the model goes to the instance. */
export interface Grant {
  model: string;
  instance: string;
}
