import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { VideoProblem } from '@kinora/videos';
import { ImageDecoder } from '../image/image-decoder';
import { type Engine, Engines, type LoadedImage, type LoadedVideo, type Opinion } from '../judging/engine';
import { startEngineMeter } from './engine-meter';
import { inGroups } from './in-groups';
import { type Finding, type Objection, findObjection, worstOfEach } from '../judging/opinions';
import { sha256Of } from '../judging/sha256';
import { versionOf } from '../judging/version-of';

/** Well within the time that a caller waits, so that it hears of a slow engine from the gate. */
const ENGINE_TIMEOUT_MS = 5_000;
/** All frames at once would use up each other's time, and one by one would add up the time of engines far away. */
const FRAMES_AT_ONCE = 4;

/** What was judged, by whom, and what they found. */
export interface Judgement {
  /** SHA-256 of each text, image and video, in this order, in hexadecimal. */
  contentSha256: readonly string[];
  /** How many of them, from the first on, are of texts. */
  texts: number;
  policyVersion: string;
  /** The version of each engine, by its name. */
  engines: Readonly<Record<string, string>>;
  findings: readonly Finding[];
}

let pass: (judgement: Judgement) => PassedVerdict;

/** Proof that every engine saw the content and none objected. Only the gate can make one: the constructor stays in this file. */
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
  images: readonly LoadedImage[];
  videos?: readonly LoadedVideo[];
}

/** What one engine found in one piece of content, or why it could not say. */
type Answer = { findings: readonly Finding[] } | { fault: unknown };

/** Every engine must let pass every piece of content. A gate that cannot answer has not passed. */
@Injectable()
export class Gate {
  /** Nothing passes before the gate has been seen to block what it must, nor after it was seen not to. */
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

  /** Whether anything but hashes of known images is looked at. */
  get screensUnknownImages(): boolean {
    return this.engines.image.length > 1;
  }

  /** It has just blocked all that it must. */
  trust(): void {
    this.trusted = true;
  }

  /** It has just failed to; it goes on blocking, but nothing passes. */
  distrust(): void {
    this.trusted = false;
  }

  /**
   * @throws ApiError `capacity` when an engine fails or takes too long, unless another one objects anyway.
   * @throws VideoProblem when a video cannot be seen, which no later look will change.
   */
  async judge({ texts, images, videos = [] }: Content): Promise<Verdict> {
    if (texts.length + images.length + videos.length === 0)
      throw new Error('Nothing was shown, so nothing can have passed.');
    const textSha256 = texts.map(({ text }) => sha256Of(text));
    const requested = [
      ...texts.flatMap((text, at) => this.askAboutText(text, textSha256[at] ?? '')),
      ...images.map((image) => this.askAboutImage(image)),
      ...videos.map((video) => this.askAboutVideo(video)),
    ];
    // Most prompts are judged at once by all, and nobody waits for what is known.
    const answers = requested.every(isAnswer) ? requested : (await allOf<Answer | Answer[]>(requested)).flat();
    const contentSha256 = [...textSha256, ...[...images, ...videos].map(({ sha256 }) => sha256)];
    const findings = answers.flatMap(findingsOf);
    const judgement = { ...this.policy, contentSha256, texts: texts.length, findings };
    const objection = findObjection(findings);
    if (objection) return { outcome: 'blocked', judgement, objection };
    assertNoFault(answers);
    if (!this.trusted) throw ApiError.unavailable('Content moderation');
    return pass(judgement);
  }

  private askAboutText(text: ScreenedText, contentSha256: string): (Answer | Promise<Answer>)[] {
    return this.engines.text.map((engine) => this.ask(engine, text, { content: 'text', contentSha256 }));
  }

  /** The wait for the decode is not part of the time that an engine has. */
  private async askAboutImage(image: LoadedImage): Promise<Answer[]> {
    return this.show(image, { content: 'image', contentSha256: image.sha256 }).catch((fault: unknown) => [{ fault }]);
  }

  private async show(image: LoadedImage, of: Pick<Finding, 'content' | 'contentSha256'>): Promise<Answer[]> {
    const shown = await this.decoder.decode(image, { withJpeg: this.screensUnknownImages });
    return allOf(this.engines.image.map((engine) => this.ask(engine, shown, of)));
  }

  private async askAboutVideo(video: LoadedVideo): Promise<Answer> {
    try {
      return { findings: await this.decoder.withVideo(() => this.watch(video)) };
    } catch (fault) {
      return { fault };
    }
  }

  /** A few frames at a time. It stops at the first that is objected to. */
  private async watch({ sha256, frames }: LoadedVideo): Promise<Finding[]> {
    const of = { content: 'video', contentSha256: sha256 } as const;
    let worst: Finding[] = [];
    for await (const group of inGroups(this.reportingFaults(frames()), FRAMES_AT_ONCE)) {
      const answers = (await Promise.all(group.map((frame) => this.show(frame, of)))).flat();
      const findings = answers.flatMap(findingsOf);
      worst = worstOfEach([...worst, ...findings]);
      if (findObjection(worst)) return worst;
      if (findings.length < answers.length) throw new Error('An engine has not judged a frame.');
    }
    if (worst.length === 0) throw new Error('A video without frames was shown, so nothing can have passed.');
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

  /** At once where the engine answers at once. */
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

function assertNoFault(answers: readonly Answer[]): void {
  const faults = answers.flatMap((answer) => ('fault' in answer ? [answer.fault] : []));
  const unreadable = faults.find((fault) => fault instanceof VideoProblem);
  if (unreadable) throw unreadable;
  if (faults.length > 0) throw ApiError.unavailable('Content moderation');
}
