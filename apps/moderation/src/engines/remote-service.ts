import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import type { Engine, LoadedImage, Opinion } from '../gate/engine';
import { versionOf } from '../gate/version-of';
import { worseOpinion } from '../gate/opinions';
import { EngineBreaker } from './engine-breaker';
import type { EngineConnection } from './engine-connection';
import { EngineFault } from './engine-fault';
import type { EngineProtocol, EngineQuestion } from './protocol';
import { shownPictures } from './shown-pictures';
import { type Judged, type Thresholds, findExceeded } from './thresholds';

/** An engine that runs elsewhere: asked over HTTP, and left alone for a while when it is in trouble. */
export class RemoteService {
  readonly version: string;
  private readonly breaker = new EngineBreaker();

  constructor(
    readonly id: string,
    private readonly connection: EngineConnection,
    private readonly protocol: EngineProtocol,
    private readonly thresholds: Thresholds,
    /** Names the model, as far as we know it. */
    model: string,
  ) {
    this.version = `${model} ${versionOf(thresholds)}`;
  }

  get textEngine(): Engine<ScreenedText> {
    return {
      name: this.id,
      version: this.version,
      judge: (text) => this.ask(this.protocol.askAboutText(text), 'text'),
    };
  }

  get imageEngine(): Engine<LoadedImage> {
    return { name: this.id, version: this.version, judge: (image) => this.judgeImage(image) };
  }

  private async judgeImage(image: LoadedImage): Promise<Opinion> {
    const questions = (await shownPictures(image)).map((picture) => this.protocol.askAboutPicture(picture));
    const opinions = await Promise.all(questions.map((question) => this.ask(question, 'image')));
    return opinions.reduce(worseOpinion);
  }

  private async ask(question: EngineQuestion, judged: Judged): Promise<Opinion> {
    if (!this.breaker.enter(Date.now())) throw new EngineFault('it has failed repeatedly and is left alone');
    try {
      const answer = await this.connection.post(question.path, question.body);
      const { scores, objection } = this.protocol.read(answer, judged, question);
      this.breaker.succeed();
      return { objection: objection ?? findExceeded(scores, this.thresholds[judged]), scores };
    } catch (error) {
      this.report(error);
      throw error;
    }
  }

  private report(error: unknown): void {
    const isOfContent = error instanceof EngineFault && error.about === 'content';
    // One strange picture must not keep everybody else's work from being judged.
    if (isOfContent) this.breaker.succeed();
    else this.breaker.fail(Date.now(), error instanceof EngineFault ? error.retryAfterMs : null);
  }
}
