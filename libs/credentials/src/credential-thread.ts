import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Clock, SYSTEM_CLOCK } from '@kinora/service-kit/without-nest';
import { CredentialProblem } from './credential';
import type { ReadCall, ReadResult, SignCall, ThreadCall, ThreadMessage } from './thread-messages';

/** The file that the thread runs, and the Node options that it needs. */
export interface CredentialProgram {
  file: string;
  execArgv?: string[];
}

// In the same folder and of the same kind: JavaScript in a build, TypeScript where Node has a loader for it.
export const CREDENTIAL_PROGRAM: CredentialProgram = {
  file: path.join(__dirname, `credentials.worker${path.extname(__filename)}`),
};

/** Makes the signature of a claim: the whole COSE_Sign1. */
export type ClaimSigner = (claim: Uint8Array) => Promise<Uint8Array>;

interface Waiting {
  resolve: (result: ReadResult | Uint8Array) => void;
  reject: (error: Error) => void;
  sign?: ClaimSigner;
}

/**
 * The C2PA library in a worker thread, which its first request starts: it computes for tens of milliseconds at a time. A request that
 * takes too long ends the thread, because nothing else stops WebAssembly, and with it all requests that it had; the next one starts
 * another thread.
 */
export class CredentialThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(
    private readonly program: CredentialProgram,
    private readonly timeoutMs: number,
    private readonly clock: Clock = SYSTEM_CLOCK,
  ) {}

  /** @throws CredentialProblem */
  read(call: Omit<ReadCall, 'call' | 'id'>): Promise<ReadResult> {
    return this.send({ ...call, call: 'read', id: ++this.lastId }) as Promise<ReadResult>;
  }

  /** @throws CredentialProblem */
  sign(call: Omit<SignCall, 'call' | 'id'>, sign: ClaimSigner): Promise<Uint8Array> {
    return this.send({ ...call, call: 'sign', id: ++this.lastId }, sign) as Promise<Uint8Array>;
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.end(new CredentialProblem('unreadable', 'The service stops.'));
    await worker?.terminate();
  }

  private send(call: ReadCall | SignCall, sign?: ClaimSigner): Promise<ReadResult | Uint8Array> {
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      const problem = `The credentials of a file took more than ${this.timeoutMs} ms.`;
      this.clock.deadline(this.timeoutMs).addEventListener('abort', () => {
        if (this.waiting.has(call.id)) this.end(new CredentialProblem('too_slow', problem));
      });
      this.waiting.set(call.id, { resolve, reject, ...(sign && { sign }) });
      // Only requests that wait keep the process alive.
      worker.ref();
      worker.postMessage(call satisfies ThreadCall);
    });
  }

  private start(): Worker {
    const { file, execArgv } = this.program;
    const worker = new Worker(file, execArgv === undefined ? {} : { execArgv });
    worker.on('message', (message: ThreadMessage) => this.receive(message));
    worker.on('error', (cause) => this.endOf(worker, cause));
    worker.once('exit', (code) => this.endOf(worker, new Error(`The thread ended (${code}).`)));
    return worker;
  }

  private receive(message: ThreadMessage): void {
    const waiting = this.waiting.get(message.id);
    if (message.kind === 'sign') return void this.answer(message.id, message.claim, waiting?.sign);
    this.waiting.delete(message.id);
    if (message.kind === 'done') waiting?.resolve(message.result);
    else waiting?.reject(new CredentialProblem('unreadable', `Credentials cannot be handled: ${message.error}`));
    if (message.kind === 'failed' && message.isFatal) this.end(new CredentialProblem('unreadable', message.error));
    if (this.waiting.size === 0) this.worker?.unref();
  }

  private async answer(id: number, claim: Uint8Array, sign: ClaimSigner | undefined): Promise<void> {
    const reply = await Promise.resolve(sign?.(claim)).then(
      (signature) => (signature ? { signature: new Uint8Array(signature) } : { error: 'The call has ended.' }),
      (error: unknown) => ({ error: String(error) }),
    );
    this.worker?.postMessage({ call: 'signature', id, reply } satisfies ThreadCall);
  }

  private endOf(worker: Worker, cause: Error): void {
    if (this.worker === worker) this.end(new CredentialProblem('unreadable', cause.message, { cause }));
  }

  private end(problem: CredentialProblem): void {
    const { worker } = this;
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(problem);
    this.waiting.clear();
    void worker?.terminate();
  }
}
