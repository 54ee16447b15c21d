import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { CircuitBreaker, type Clock } from '@kinora/service-kit';
import { type Engine, type Opinion, type ShownImage, worseOpinion } from '../judging/engine';
import { type ContentKind, type EnginePolicy, findExceeded, versionOfEngine } from '../judging/engine-policy';
import type { EngineAccess } from './engine-types';
import { EngineFault, type EngineQuestion } from './protocol';

/** After this many faults in a row the circuit opens, because further requests would only wait for the same fault. */
const FAULTS_IN_A_ROW = 5;

/** Circuit breaker of one engine; after a pause it admits one trial request. */
export class EngineBreaker {
  private readonly circuit = new CircuitBreaker({ firstMs: 1_000, maxMs: 30_000 });
  private faults = 0;

  /** Whether a request may be sent; the caller must then report its result. */
  enter(nowMs: number): boolean {
    if (this.circuit.room(nowMs) === 0) return false;
    this.circuit.begin(nowMs);
    return true;
  }

  succeed(): void {
    this.faults = 0;
    this.circuit.end();
    this.circuit.close();
  }

  fail(nowMs: number, retryAfterMs: number | null = null): void {
    this.faults += 1;
    this.circuit.end();
    if (this.faults >= FAULTS_IN_A_ROW || retryAfterMs !== null) this.circuit.open(nowMs, retryAfterMs ?? 0);
  }
}

/** An external engine behind HTTP, with a circuit breaker. */
export class RemoteService {
  private readonly breaker = new EngineBreaker();

  constructor(
    private readonly policy: EnginePolicy,
    private readonly access: EngineAccess,
    private readonly clock: Clock,
  ) {}

  judges(content: ContentKind): boolean {
    return this.policy.judges.includes(content);
  }

  get textEngine(): Engine<ScreenedText> {
    return { ...this.names, judge: (text) => this.ask(this.access.protocol.textRequest(text), 'text') };
  }

  get imageEngine(): Engine<ShownImage> {
    return { ...this.names, judge: (image) => this.evaluateImage(image) };
  }

  private get names(): Pick<Engine<unknown>, 'name' | 'version'> {
    return { name: this.policy.id, version: versionOfEngine(this.policy) };
  }

  private async evaluateImage({ sha256, views }: ShownImage): Promise<Opinion> {
    const questions = views().map(({ jpeg }) => {
      if (!jpeg) throw new Error('The image was decoded without the JPEG that external engines need.');
      return this.access.protocol.imageRequest({ jpeg, sha256 });
    });
    const opinions = await Promise.all(questions.map((question) => this.ask(question, 'image')));
    return opinions.reduce(worseOpinion);
  }

  private async ask(question: EngineQuestion, kind: ContentKind): Promise<Opinion> {
    if (!this.breaker.enter(this.clock.nowMs()))
      throw new EngineFault('it has failed repeatedly, and its circuit breaker is open');
    try {
      const answer = await this.access.connection.post(question.path, question.body);
      const { scores, objection } = this.access.protocol.read(answer, kind, question);
      this.breaker.succeed();
      const exceeded = findExceeded(scores, this.policy.thresholds[kind]);
      return { objection: objection ?? exceeded, isByThreshold: objection === null && exceeded !== null, scores };
    } catch (error) {
      this.report(error);
      throw error;
    }
  }

  private report(error: unknown): void {
    const isOfContent = error instanceof EngineFault && error.about === 'content';
    // A fault of one image must not open the circuit for all other requests.
    if (isOfContent) this.breaker.succeed();
    else this.breaker.fail(this.clock.nowMs(), error instanceof EngineFault ? error.retryAfterMs : null);
  }
}
