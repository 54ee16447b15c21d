import { clamp } from '../raster/curve';
import { createLuck, hashText, type Luck } from '../raster/random';
import { wordsOf } from '../scene/lexicon';
import { matchPhrases, type EditPhrase } from '../phrases/match-phrases';
import { type Camera, GENTLE_PUSH, type Moment, type Move, MOVES, STILL } from './moves';

/** The motion in a video: camera moves, and the strength of snow, rain and fog, from 0 to 1 and more. */
export interface Motion {
  readonly moves: readonly { readonly move: Move; readonly amount: number }[];
  readonly snow: number;
  readonly rain: number;
  readonly fog: number;
  readonly luck: Luck;
  readonly seed: number;
}

export interface MotionRequest {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly seed: number;
}

const SNOW: EditPhrase = { name: 'snow', pattern: /\b(?:snow(?:s|y|ing|fall|flakes?|storm)?|blizzard)\b/g };
const RAIN: EditPhrase = {
  name: 'rain',
  pattern: /\b(?:rain(?:s|y|ing|fall|drops?|storm)?|drizzl(?:e|ing)|downpour)\b/g,
};
const FOG: EditPhrase = { name: 'fog', pattern: /\b(?:fog(?:gy)?|mist(?:s|y)?|haz[ey]|smog|smoke|steam)\b/g };
const SLOW = /\b(?:slow(?:ly)?|gentl[ey]|calm(?:ly)?|soft(?:ly)?|subtl[ey])\b/i;
const FAST = /\b(?:fast|quick(?:ly)?|rapid(?:ly)?|swift(?:ly)?|dramatic(?:ally)?|dynamic)\b/i;

/** Interprets a prompt. Pure: the same words and seed always give the same motion. */
export function motionOf({ prompt, negativePrompt, seed }: MotionRequest): Motion {
  const phrases = matchPhrases([...MOVES, STILL, SNOW, RAIN, FOG], prompt, negativePrompt);
  const amountOf = (phrase: EditPhrase): number => phrases.find((found) => found.phrase === phrase)?.amount ?? 0;
  const pace = SLOW.test(prompt) ? 0.65 : FAST.test(prompt) ? 1.35 : 1;
  const named = MOVES.filter((move) => amountOf(move) > 0);
  const moves = named.map((move): [Move, number] => [move, amountOf(move)]);
  if (named.length === 0 && amountOf(STILL) === 0) moves.push([GENTLE_PUSH, 1]);
  const hash = hashText(`${seed} ${wordsOf(prompt).join(' ')}`);
  return {
    // A larger move would leave the margin around the start frame.
    moves: moves.map(([move, amount]) => ({ move, amount: clamp(amount * pace, 0.4, 1.4) })),
    snow: amountOf(SNOW),
    rain: amountOf(RAIN),
    fog: amountOf(FOG),
    luck: createLuck(hash),
    seed: hash,
  };
}

/** A video of the unchanged start frame, without any motion. */
export const MOTIONLESS: Motion = { moves: [], snow: 0, rain: 0, fog: 0, luck: createLuck(0), seed: 0 };

export function momentOf(frame: number, frames: number, fps: number): Moment {
  const progress = frames > 1 ? frame / (frames - 1) : 0;
  return { progress, eased: eased(progress), seconds: frame / fps };
}

/** Combines the moves: distances add up, magnifications multiply. */
export function cameraAt({ moves, luck }: Motion, moment: Moment): Camera {
  const camera = { shiftX: 0, shiftY: 0, zoom: 1, roll: 0, orbitX: 0, orbitY: 0 };
  for (const { move, amount } of moves) {
    const { zoom = 1, ...distances } = move.cameraAt(moment, amount, luck);
    camera.zoom *= zoom;
    for (const [name, distance] of Object.entries(distances)) camera[name as keyof Camera] += distance;
  }
  return camera;
}

/** The share of the camera's path in which it accelerates, and again slows down; between them its speed is constant. */
const RAMP = 0.3;

function eased(progress: number): number {
  const ramp = (p: number): number => (p * p) / (2 * RAMP * (1 - RAMP));
  if (progress < RAMP) return ramp(progress);
  if (progress > 1 - RAMP) return 1 - ramp(1 - progress);
  return (progress - RAMP / 2) / (1 - RAMP);
}
