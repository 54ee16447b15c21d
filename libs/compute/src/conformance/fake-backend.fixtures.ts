/** What a backend does wrong from now on; a fake that lives a scenario through knows at most one of each kind. */
export type Fault =
  /** Does the work of a submission, then breaks the connection instead of answering. */
  | { kind: 'lose_answers' }
  /** Takes no work now, for so many seconds or for it does not say how long. */
  | { kind: 'refuse'; status: number; retryAfterSeconds?: number }
  /** Does not take what it was sent: its own check of the request. */
  | { kind: 'reject'; status: number }
  /** Does not know our key. */
  | { kind: 'lock_out' }
  /** A filter of its own finds the content unacceptable, at the submission or at the end of the work. */
  | { kind: 'reject_content' }
  /** Answers a submission with success and tells of errors in the same breath. */
  | { kind: 'accept_with_errors' }
  /** Answers submissions with 500, whatever became of them. */
  | { kind: 'break_down' }
  /** Answers every question about tasks with a page of HTML and status 200. */
  | { kind: 'answer_in_html' }
  /** Never answers a question about tasks. */
  | { kind: 'fall_silent' }
  /** Says this of every task, in its own language, where a status belongs. */
  | { kind: 'say_status'; word: string }
  /** Says nothing, or null, where a status belongs. */
  | { kind: 'blank_status' }
  /** Sends every question about tasks, and every request for an output, to this origin. */
  | { kind: 'redirect'; to: string }
  /** Ends the connection in the middle of each output. */
  | { kind: 'truncate_outputs' }
  /** Sends outputs without end. */
  | { kind: 'oversize_outputs' }
  /** Lists temporary files among the outputs of a task. */
  | { kind: 'list_previews' }
  /** Names its outputs by paths of its own machine as well. */
  | { kind: 'name_server_paths' }
  /** Has thrown the outputs away, or all that it knew of tasks that are over. */
  | { kind: 'expire_outputs' }
  /** Says yes to a cancel and works on. */
  | { kind: 'ignore_cancels' }
  /** Its clock is wrong by so much, wherever it tells the time. */
  | { kind: 'skew_clock'; byMs: number };

/** How work ends badly: as the backend itself tells it, in its own words. */
export type TaskFailure =
  /** The model, the graph or the code threw. */
  | 'error'
  | 'out_of_memory'
  /** Somebody stopped it at the backend. */
  | 'interrupted'
  /** Some of the files are there, with a word on why the others are not. */
  | 'partial'
  /** Done, says the status; the result itself is an error. */
  | 'result_is_error';

/** A submission as the backend understood it, read back from its own wire format. Null for what it was not told. */
export interface ReceivedTask {
  prompt: string | null;
  negativePrompt: string | null;
  seed: number | null;
  width: number | null;
  height: number | null;
  n: number | null;
  images: Buffer[];
}

export interface ReceivedRequest {
  method: string;
  /** With its query. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
}

/** A backend over real HTTP that speaks its real wire format, with a switch for all that backends do wrong. */
export interface FakeBackend {
  /** Submissions that were taken, in order; what was refused or rejected is not among them. */
  readonly received: ReceivedTask[];
  /** Every request, whatever it was for. */
  readonly requests: ReceivedRequest[];
  /** Tasks that wait or run there. */
  readonly workingCount: number;
  inject(fault: Fault): void;
  /** What waits begins. */
  begin(): void;
  /** What waits or runs is done; task by task with these outputs, or with as many of its own as it was asked for. */
  finish(outputs?: Buffer[]): void;
  /** What waits or runs ends badly. */
  end(failure: TaskFailure): void;
  /** Dies and comes back, having forgotten all that it keeps in memory. */
  restart(): void;
  /** Is gone: its port refuses connections. */
  stop(): Promise<void>;
}
