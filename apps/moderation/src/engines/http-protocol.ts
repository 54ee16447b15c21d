import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { sha256Of } from '../judging/sha256';
import {
  asMap,
  asShare,
  type EngineAnswer,
  EngineFault,
  type EngineProtocol,
  type EngineQuestion,
  type JsonMap,
  type ShownImage,
} from './protocol';
import type { ContentKind, ThresholdRules } from '../judging/engine-policy';

const REASON = /^[a-z0-9][a-z0-9_./-]{0,63}$/;
const MAX_SCORES = 64;

/** The classifier returns its own verdict; thresholds can only make it stricter. */
export const HTTP_THRESHOLDS: ThresholdRules = {
  defaults: { text: {}, image: {} },
  categories: null,
  isReachable: (threshold) => threshold > 0 && threshold <= 1,
  scale: 'a number above 0 and up to 1',
};

/** A classifier of the operator, by the contract in the README of this app. */
export class HttpProtocol implements EngineProtocol {
  constructor(private readonly required: Readonly<Record<ContentKind, readonly string[]>>) {}

  textRequest({ param, text }: ScreenedText): EngineQuestion {
    return ask(sha256Of(text), { type: 'text', param, text });
  }

  imageRequest({ jpeg }: ShownImage): EngineQuestion {
    const image = { mime: 'image/jpeg', data: jpeg.toString('base64') };
    return ask(sha256Of(jpeg), { type: 'image', image });
  }

  read(answer: unknown, kind: ContentKind, { body }: EngineQuestion): EngineAnswer {
    const map = asMap(answer, 'the answer');
    // The answer repeats the hash, so that a cached answer or one for another request is not accepted.
    if (map['content_sha256'] !== asMap(body, 'the question')['content_sha256'])
      throw new EngineFault('it has answered for another content_sha256');
    const scores = readScores(map['scores']);
    const missing = this.required[kind].find((name) => scores[name] === undefined);
    if (missing !== undefined) throw new EngineFault(`its answer has no score for ${missing}`);
    return { scores, objection: readObjection(map) };
  }
}

function ask(content_sha256: string, content: JsonMap): EngineQuestion {
  return { path: '', body: { content_sha256, ...content } };
}

function readScores(given: unknown): Record<string, number> {
  const entries = Object.entries(given === undefined ? {} : asMap(given, 'scores'));
  if (entries.length > MAX_SCORES) throw new EngineFault('its answer has too many scores');
  return Object.fromEntries(entries.map(([name, score]) => [name, asShare(score, 'a score')]));
}

function readObjection({ verdict, reason = null }: JsonMap): string | null {
  if (verdict === 'passed' && reason === null) return null;
  if (verdict !== 'blocked') throw new EngineFault('its verdict is neither passed nor blocked');
  return typeof reason === 'string' && REASON.test(reason) ? reason : 'blocked';
}
