import { Injectable } from '@nestjs/common';
import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { withTimeout } from '@kinora/bus';
import { startStopwatch } from '@kinora/metrics';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { VideoProblem } from '@kinora/videos';
import { inGroups } from './in-groups';
import { ImageDecoder, UnreadableImage } from '../image/image-decoder';
import {
  BUILT_IN_ENGINES,
  type Engine,
  Engines,
  type Finding,
  findObjection,
  type LoadedImage,
  type LoadedVideo,
  type Objection,
  type OnJudged,
  type Opinion,
  type ShownImage,
  worstOfEach,
} from '../judging/engine';
import { sha256Of, versionOf } from '../judging/sha256';
import { engineDuration } from '../moderation.metrics';
import { hasYoungContext } from '../text/text-rules.engine';

/**
 * Records the duration and the result of one engine call.
 * @returns a callback for the opinion, or for null when the engine failed.
 */
function startEngineMeter(engine: string, content: Finding['content']): (opinion: Opinion | null) => void {
  const seconds = startStopwatch();
  return (opinion) => engineDuration.of({ engine, content, outcome: outcomeOf(opinion) }).observe(seconds());
}

function outcomeOf(opinion: Opinion | null): string {
  if (opinion === null) return 'failed';
  return opinion.objection === null ? 'passed' : 'objected';
}

/** Shorter than the timeout of a caller, so that the caller receives the gate's error instead of its own timeout. */
const ENGINE_TIMEOUT_MS = 5_000;
/** Judging all frames at once would use up the engines' timeout; one at a time would add up the latency of external engines. */
const FRAMES_AT_ONCE = 4;

/** The content by its hashes, the engines that judged it, and their findings. */
interface Judgement {
  /** SHA-256 of each text, image and video, in this order, in hexadecimal. */
  contentSha256: readonly string[];
  /** How many of the hashes, from the first on, are those of texts. */
  texts: number;
  policyVersion: string;
  /** The version of each engine, by its name. */
  engines: Readonly<Record<string, string>>;
  findings: readonly Finding[];
}

let pass: (judgement: Judgement) => PassedVerdict;

/**
 * Proof that every engine judged the content without an objection. Only the gate creates one: the constructor is private to
 * this file.
 */
export class PassedVerdict {
  readonly outcome = 'passed';

  private constructor(readonly judgement: Judgement) {}

  static {
    pass = (judgement) => new PassedVerdict(judgement);
  }
}

export interface BlockedVerdict {
  outcome: 'blocked';
  judgement: Judgement;
  objection: Objection;
}

export type Verdict = PassedVerdict | BlockedVerdict;

export interface Content {
  texts: readonly ScreenedText[];
  /** For outputs: whether a text of the job mentions a minor. */
  hasYoungContext?: boolean;
  images: readonly LoadedImage[];
  videos?: readonly LoadedVideo[];
  onJudged?: OnJudged;
}

/** What the texts of the job say about its images, and who is told of those that were judged. */
interface Context extends Pick<ShownImage, 'hasYoungContext'> {
  onJudged?: OnJudged | undefined;
}

/** The findings of one engine for one piece of content, or its error. */
type Answer = { findings: readonly Finding[] } | { fault: unknown };

/** Passes content only if every engine passes every piece of it. A failed engine counts as not passed. */
@Injectable()
export class Gate {
  /** Set after the canaries were blocked, and cleared when one passes. Nothing passes the gate while it is false. */
  private trusted = false;
  private readonly policy: Pick<Judgement, 'policyVersion' | 'engines'>;

  constructor(
    private readonly engines: Engines,
    private readonly decoder: ImageDecoder,
    @InjectLogger() private readonly logger: Logger,
  ) {
    if (engines.text.length === 0 || engines.image.length === 0) {
      throw new Error('A gate without engines would let everything pass.');
    }
    const versions = Object.fromEntries(
      [...engines.text, ...engines.image].map(({ name, version }) => [name, version]),
    );
    this.policy = { policyVersion: versionOf(versions), engines: versions };
  }

  get isTrusted(): boolean {
    return this.trusted;
  }

  /** Whether an engine of the operator judges images. It receives them as JPEG. */
  private get needsJpeg(): boolean {
    return this.engines.image.some(({ name }) => !BUILT_IN_ENGINES.includes(name));
  }

  /** To be called when the gate has blocked all canaries. */
  trust(): void {
    this.trusted = true;
  }

  /** To be called when a canary passed. The gate goes on blocking, but passes nothing. */
  distrust(): void {
    this.trusted = false;
  }

  /**
   * @throws ApiError `capacity` when an engine fails or times out, unless another engine objects.
   * @throws VideoProblem, UnreadableImage when a file cannot be decoded; a retry would not change that. An input that cannot
   * be decoded is named before an objection to another field, and an objection before an output (decisions: Order of checks).
   */
  async judge({ texts, images, videos = [], hasYoungContext: isYoung = false, onJudged }: Content): Promise<Verdict> {
    if (texts.length + images.length + videos.length === 0)
      throw new Error('There is no content to judge; pass at least one text, image or video.');
    const textSha256 = texts.map(({ text }) => sha256Of(text));
    const aboutTexts = texts.flatMap((text, at) => this.askAboutText(text, textSha256[at] ?? ''));
    // The rules answer synchronously.
    const mentions = aboutTexts.filter(isAnswer).flatMap(findingsOf);
    const about = { hasYoungContext: isYoung || mentions.some(isOfYoungContext) };
    const context = { ...about, onJudged };
    const requested = [
      ...aboutTexts,
      ...images.map((image) => this.askAboutImage(image, context)),
      ...videos.map((video) => this.askAboutVideo(video, context)),
      ...images.flatMap((image) => this.askAboutEnclosed(image, 'image', about)),
      ...videos.flatMap((video) => this.askAboutEnclosed({ ...video, param: null }, 'video', about)),
    ];
    // Built-in engines answer synchronously; the check skips a needless promise for most prompts.
    const answers = requested.every(isAnswer) ? requested : (await allOf<Answer | Answer[]>(requested)).flat();
    const contentSha256 = [...textSha256, ...[...images, ...videos].map(({ sha256 }) => sha256)];
    const findings = answers.flatMap(findingsOf);
    const faults = answers.flatMap((answer) => ('fault' in answer ? [answer.fault] : []));
    assertInputsReadable(faults);
    const judgement = { ...this.policy, contentSha256, texts: texts.length, findings };
    const objection = findObjection(findings);
    if (objection) return { outcome: 'blocked', judgement, objection };
    assertNoFault(faults);
    if (!this.trusted) throw ApiError.unavailable('Content moderation');
    return pass(judgement);
  }

  private askAboutText(text: ScreenedText, contentSha256: string): (Answer | Promise<Answer>)[] {
    return this.engines.text.map((engine) => this.ask(engine, text, { content: 'text', contentSha256 }));
  }

  /** The wait for the decode does not count against the engine's timeout. */
  private async askAboutImage(image: LoadedImage, context: Context): Promise<Answer[]> {
    const of = { content: 'image', contentSha256: image.sha256 } as const;
    return this.show(image, of, context).catch((fault: unknown) => [{ fault }]);
  }

  /** What is found in them is found in the file. */
  private askAboutEnclosed(
    { param, sha256, enclosed = [] }: Pick<LoadedImage, 'param' | 'sha256' | 'enclosed'>,
    content: Finding['content'],
    context: Context,
  ): Promise<Answer[]>[] {
    return enclosed.map((bytes) =>
      this.show({ param, bytes, sha256: sha256Of(bytes) }, { content, contentSha256: sha256 }, context).catch(
        (fault: unknown) => [{ fault }],
      ),
    );
  }

  private async show(
    image: LoadedImage,
    of: Pick<Finding, 'content' | 'contentSha256'>,
    { onJudged, ...about }: Context,
  ): Promise<Answer[]> {
    const shown = { ...(await this.decoder.decode(image, { withJpeg: this.needsJpeg })), ...about };
    const answers = await allOf(this.engines.image.map((engine) => this.ask(engine, shown, of)));
    if (answers.every((answer) => 'findings' in answer)) onJudged?.(of.contentSha256, shown);
    return answers;
  }

  private async askAboutVideo(video: LoadedVideo, context: Context): Promise<Answer> {
    try {
      return { findings: await this.decoder.withVideo(() => this.watch(video, context)) };
    } catch (fault) {
      return { fault };
    }
  }

  /** Judges a few frames at a time, and stops at the first objection. */
  private async watch({ sha256, frames }: LoadedVideo, context: Context): Promise<Finding[]> {
    const of = { content: 'video', contentSha256: sha256 } as const;
    let worst: Finding[] = [];
    for await (const group of inGroups(this.reportingFaults(frames()), FRAMES_AT_ONCE)) {
      const answers = (await Promise.all(group.map((frame) => this.show(frame, of, context)))).flat();
      const findings = answers.flatMap(findingsOf);
      worst = worstOfEach([...worst, ...findings]);
      if (findObjection(worst)) return worst;
      if (findings.length < answers.length) throw new Error('An engine failed to judge a frame of the video.');
    }
    if (worst.length === 0) throw new Error('The video has no frames to judge.');
    return worst;
  }

  private async *reportingFaults(frames: AsyncIterable<LoadedImage>): AsyncGenerator<LoadedImage> {
    try {
      yield* frames;
    } catch (error) {
      this.logger.error({ reason: String(error) }, 'moderation_video_unreadable');
      throw error;
    }
  }

  /** Synchronous where the engine answers synchronously. */
  private ask<Shown extends { param: string | null }>(
    engine: Engine<Shown>,
    shown: Shown,
    of: Pick<Finding, 'content' | 'contentSha256'>,
  ): Answer | Promise<Answer> {
    const meter = startEngineMeter(engine.name, of.content);
    const say = (opinion: Opinion): Answer => {
      meter(opinion);
      return { findings: [{ ...of, param: shown.param, engine: engine.name, opinion }] };
    };
    const fail = (fault: unknown): Answer => {
      // The file is at fault and not the engine.
      if (fault instanceof UnreadableImage) return { fault };
      meter(null);
      const reason = String(fault);
      this.logger.error({ engine: engine.name, content: of.content, reason }, 'moderation_engine_failed');
      return { fault };
    };
    try {
      const opinion = engine.judge(shown);
      return opinion instanceof Promise
        ? withTimeout(opinion, ENGINE_TIMEOUT_MS, tooLate).then(say).catch(fail)
        : say(opinion);
    } catch (error) {
      return fail(error);
    }
  }
}

function tooLate(): never {
  throw new Error(`no answer within ${ENGINE_TIMEOUT_MS} ms`);
}

function isAnswer(requested: Answer | Promise<Answer | Answer[]>): requested is Answer {
  return !(requested instanceof Promise);
}

function allOf<Reply>(requested: readonly (Reply | Promise<Reply>)[]): Promise<Reply[]> {
  return Promise.all(requested.map((answer) => Promise.resolve(answer)));
}

function findingsOf(answer: Answer): readonly Finding[] {
  return 'findings' in answer ? answer.findings : [];
}

function isOfYoungContext({ engine, opinion: { scores } }: Finding): boolean {
  return hasYoungContext({ engine, scores });
}

function assertInputsReadable(faults: readonly unknown[]): void {
  const unreadable = faults.find((fault) => fault instanceof UnreadableImage);
  if (unreadable && unreadable.param !== null) throw unreadable;
}

function assertNoFault(faults: readonly unknown[]): void {
  const unreadable = faults.find((fault) => fault instanceof VideoProblem || fault instanceof UnreadableImage);
  if (unreadable) throw unreadable;
  if (faults.length > 0) throw ApiError.unavailable('Content moderation');
}
