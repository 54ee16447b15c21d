import { Injectable } from '@nestjs/common';
import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { VideoProblem } from '@kinora/videos';
import { type Engine, Engines, type LoadedImage, type LoadedVideo } from './engine';
import { sha256Of } from './sha256';

/** Well within the time that a caller waits, so that it hears of a slow engine from the gate. */
const ENGINE_TIMEOUT_MS = 5_000;

let pass: (contentSha256: string[]) => PassedVerdict;

/** Proof that every engine saw the content and none objected. Only the gate can make one: the constructor stays in this file. */
export class PassedVerdict {
  readonly outcome = 'passed';

  private constructor(
    /** SHA-256 of each text, image and video, in hexadecimal. */
    readonly contentSha256: readonly string[],
  ) {}

  static {
    pass = (contentSha256) => new PassedVerdict(contentSha256);
  }
}

export interface Objection {
  content: 'text' | 'image' | 'video';
  /** The request's field, where the content came in one. */
  param: string | null;
  engine: string;
  reason: string;
}

export interface BlockedVerdict {
  outcome: 'blocked';
  contentSha256: readonly string[];
  objection: Objection;
}

export interface Content {
  texts: readonly ScreenedText[];
  images: readonly LoadedImage[];
  videos?: readonly LoadedVideo[];
}

/** Every engine must let pass every piece of content. A gate that cannot answer has not passed. */
@Injectable()
export class Gate {
  constructor(
    private readonly engines: Engines,
    @InjectLogger() private readonly logger: Logger,
  ) {
    if (engines.text.length === 0 || engines.image.length === 0) {
      throw new Error('A gate without engines would let everything pass.');
    }
  }

  /**
   * @throws ApiError `capacity` when an engine fails or takes too long, unless another one objects anyway.
   * @throws VideoProblem when a video cannot be seen, which no later look will change.
   */
  async judge({ texts, images, videos = [] }: Content): Promise<PassedVerdict | BlockedVerdict> {
    if (texts.length + images.length + videos.length === 0)
      throw new Error('Nothing was shown, so nothing can have passed.');
    const answers = await Promise.allSettled([
      ...texts.flatMap((text) => this.engines.text.map((engine) => this.ask('text', engine, text))),
      ...images.flatMap((image) => this.engines.image.map((engine) => this.ask('image', engine, image))),
      ...videos.map((video) => this.watch(video)),
    ]);
    const contentSha256 = [
      ...texts.map(({ text }) => sha256Of(text)),
      ...[...images, ...videos].map(({ sha256 }) => sha256),
    ];
    const objection = findObjection(answers);
    if (objection) return { outcome: 'blocked', contentSha256, objection };
    const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    const unreadable = faults.find((fault) => fault instanceof VideoProblem);
    if (unreadable) throw unreadable;
    if (faults.length > 0) throw ApiError.unavailable('Content moderation');
    return pass(contentSha256);
  }

  /** Frame by frame: all at once they would use up each other's time. It stops at the first that is objected to. */
  private async watch({ frames }: LoadedVideo): Promise<Objection | null> {
    let judged = 0;
    for await (const frame of this.reportingFaults(frames())) {
      const answers = await Promise.allSettled(this.engines.image.map((engine) => this.ask('video', engine, frame)));
      const objection = findObjection(answers);
      if (objection) return objection;
      if (answers.some(({ status }) => status === 'rejected')) throw new Error('An engine has not judged a frame.');
      judged += 1;
    }
    if (judged === 0) throw new Error('A video without frames was shown, so nothing can have passed.');
    return null;
  }

  private async *reportingFaults(frames: AsyncIterable<LoadedImage>): AsyncGenerator<LoadedImage> {
    try {
      yield* frames;
    } catch (error) {
      this.logger.error({ reason: String(error) }, 'moderation_video_unreadable');
      throw error;
    }
  }

  private async ask<Shown extends { param: string | null }>(
    content: Objection['content'],
    engine: Engine<Shown>,
    shown: Shown,
  ): Promise<Objection | null> {
    try {
      const reason = await withinTimeout(engine.findObjection(shown));
      return reason === null ? null : { content, param: shown.param, engine: engine.name, reason };
    } catch (error) {
      this.logger.error({ engine: engine.name, content, reason: String(error) }, 'moderation_engine_failed');
      throw error;
    }
  }
}

async function withinTimeout<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ENGINE_TIMEOUT_MS} ms`)), ENGINE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function findObjection(answers: readonly PromiseSettledResult<Objection | null>[]): Objection | undefined {
  return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null)).find(isPresent);
}

function isPresent<Value>(value: Value | null): value is Value {
  return value !== null;
}
