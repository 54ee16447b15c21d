import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import type { Engine, Opinion, ShownImage } from '../judging/engine';
import { worseOpinion } from '../judging/opinions';
import { EngineBreaker } from './engine-breaker';
import { EngineFault } from './engine-fault';
import { type EnginePolicy, versionOfEngine } from './engine-policy';
import type { EngineAccess } from './engine-types';
import type { EngineQuestion } from './protocol';
import { type ContentKind, findExceeded } from './thresholds';

/** An external engine behind HTTP, with a circuit breaker. */
export class RemoteService {
  private readonly breaker = new EngineBreaker();

  constructor(
    private readonly policy: EnginePolicy,
    private readonly access: EngineAccess,
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
    if (!this.breaker.enter(Date.now()))
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
    else this.breaker.fail(Date.now(), error instanceof EngineFault ? error.retryAfterMs : null);
  }
}
