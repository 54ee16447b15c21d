/** A fault of the backend from now on; a fake has at most one of each kind. */
export type Fault =
  /** Does the work of a submission, then breaks the connection instead of answering. */
  | { kind: 'lose_answers' }
  /** Accepts no work now, with or without a Retry-After. */
  | { kind: 'refuse'; status: number; retryAfterSeconds?: number }
  /** Rejects the request in its own validation. */
  | { kind: 'reject'; status: number }
  /** Refuses the instance's credentials. */
  | { kind: 'lock_out' }
  /** Its content filter rejects the content, at the submission or at the end of the work. */
  | { kind: 'reject_content' }
  /** Answers a submission with success and errors at the same time. */
  | { kind: 'accept_with_errors' }
  /** Answers submissions with 500, whatever their outcome. */
  | { kind: 'break_down' }
  /** Answers every request about tasks with an HTML page and status 200. */
  | { kind: 'answer_in_html' }
  /** Never answers a request about tasks. */
  | { kind: 'fall_silent' }
  /** Returns this word as the status of every task. */
  | { kind: 'say_status'; word: string }
  /** Returns a missing or null status. */
  | { kind: 'blank_status' }
  /** Redirects every request about tasks, and every request for an output, to this origin. */
  | { kind: 'redirect'; to: string }
  /** Ends the connection in the middle of each output. */
  | { kind: 'truncate_outputs' }
  /** Sends outputs without end. */
  | { kind: 'oversize_outputs' }
  /** Lists temporary files among the outputs of a task. */
  | { kind: 'list_previews' }
  /** Adds paths of its own machine to its outputs. */
  | { kind: 'name_server_paths' }
  /** Has deleted the outputs, or all records of finished tasks. */
  | { kind: 'expire_outputs' }
  /** Confirms a cancel and continues the work. */
  | { kind: 'ignore_cancels' }
  /** Its clock is wrong by this amount, in every time that it reports. */
  | { kind: 'skew_clock'; byMs: number };

/** How work fails, as the backend reports it. */
export type TaskFailure =
  /** The model, the graph or the code threw. */
  | 'error'
  | 'out_of_memory'
  /** Stopped at the backend by another client. */
  | 'interrupted'
  /** Only some of the files exist, with an error for the others. */
  | 'partial'
  /** The status is success, but the result is an error. */
  | 'result_is_error';

/** A submission as the backend parsed it from its own wire format. Null for missing values. */
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

/** A backend over real HTTP with its real wire format, and a switch for each fault. */
export interface FakeBackend {
  /** Accepted submissions, in order; refused or rejected ones are not included. */
  readonly received: ReceivedTask[];
  /** Every request, for whatever purpose. */
  readonly requests: ReceivedRequest[];
  /** The number of tasks that wait or run. */
  readonly workingCount: number;
  inject(fault: Fault): void;
  /** Starts the waiting tasks. */
  begin(): void;
  /** Completes the waiting and running tasks, each with these outputs, or with the requested number of its own. */
  finish(outputs?: Buffer[]): void;
  /** Fails the waiting and running tasks. */
  end(failure: TaskFailure): void;
  /** Restarts, and loses all state in memory. */
  restart(): void;
  /** Stops: its port refuses connections. */
  stop(): Promise<void>;
}
