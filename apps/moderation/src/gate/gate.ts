import { Injectable } from '@nestjs/common';
import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { type Engine, Engines, type LoadedImage } from './engine';
import { sha256Of } from './sha256';

/** Well within the time that a caller waits, so that it hears of a slow engine from the gate. */
const ENGINE_TIMEOUT_MS = 5_000;

let pass: (contentSha256: string[]) => PassedVerdict;

/** Proof that every engine saw the content and none objected. Only the gate can make one: the constructor stays in this file. */
export class PassedVerdict {
  readonly outcome = 'passed';

  private constructor(
    /** SHA-256 of each text and image, in hexadecimal. */
    readonly contentSha256: readonly string[],
  ) {}

  static {
    pass = (contentSha256) => new PassedVerdict(contentSha256);
  }
}

export interface Objection {
  content: 'text' | 'image';
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

  /** @throws ApiError `capacity` when an engine fails or takes too long, unless another one objects anyway. */
  async judge({ texts, images }: Content): Promise<PassedVerdict | BlockedVerdict> {
    if (texts.length + images.length === 0) throw new Error('Nothing was shown, so nothing can have passed.');
    const answers = await Promise.allSettled([
      ...texts.flatMap((text) => this.engines.text.map((engine) => this.ask('text', engine, text))),
      ...images.flatMap((image) => this.engines.image.map((engine) => this.ask('image', engine, image))),
    ]);
    const contentSha256 = [...texts.map(({ text }) => sha256Of(text)), ...images.map(({ sha256 }) => sha256)];
    const objection = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null)).find(isPresent);
    if (objection) return { outcome: 'blocked', contentSha256, objection };
    if (answers.some(({ status }) => status === 'rejected')) throw ApiError.unavailable('Content moderation');
    return pass(contentSha256);
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

function isPresent<Value>(value: Value | null): value is Value {
  return value !== null;
}
