import sharp from 'sharp';
import { gradePixels, moodGrade } from '../paint/grade';
import { fromSharp, type RgbImage } from '../raster/rgb-image';
import { createRandom, hashText, pick, type Random } from '../raster/random';
import { InvalidInputError, type ImageOrder } from '../drawing/draw-order';
import { type Mood } from '../scene/scene';
import { matchPhrases } from '../phrases/match-phrases';
import { fitImage } from './fit-image';
import { JOIN_OPERATIONS, sideBySide } from './operations/join-operations';
import { SHAPE_OPERATIONS } from './operations/shape-operations';
import { TEXTURE_OPERATIONS } from './operations/texture-operations';
import { TONE_OPERATIONS } from './operations/tone-operations';
import { WEATHER_OPERATIONS } from './operations/weather-operations';

const EDIT_OPERATIONS = [
  TONE_OPERATIONS,
  SHAPE_OPERATIONS,
  TEXTURE_OPERATIONS,
  WEATHER_OPERATIONS,
  JOIN_OPERATIONS,
].flat();

/** Edits the given images step by step as the instruction says, and scales the result to the requested size. */
export async function editImages(order: ImageOrder, assertWanted: () => void): Promise<RgbImage> {
  const { width, height, seed, prompt } = order;
  const references = await Promise.all(order.images.map((file) => decode(file, width, height)));
  const steps = matchPhrases(EDIT_OPERATIONS, prompt, order.negativePrompt);
  let [image] = references;
  if (!image) throw new InvalidInputError('An edit needs an image.');
  for (const [i, { phrase: operation, match, amount }] of steps.entries()) {
    assertWanted();
    const random = createRandom(seed ^ hashText(`${i} ${operation.name}`));
    image = await operation.apply(image, { match, amount, random, references, width, height });
  }
  if (steps.length === 0) {
    // Several images and no instruction on how to join them: show them all.
    image = await sideBySide(references, order);
    image = mildlyGraded(image, createRandom(seed ^ hashText(prompt)));
  }
  return fitImage(image, width, height);
}

/** Not larger than the result needs: the cost of every later step grows with the number of pixels. */
async function decode(file: Uint8Array, width: number, height: number): Promise<RgbImage> {
  try {
    return await fromSharp(
      sharp(file, { limitInputPixels: 4096 * 4096 })
        .autoOrient()
        .resize(width, height, { fit: 'inside' }),
    );
  } catch {
    throw new InvalidInputError('An image cannot be decoded.');
  }
}

/** For an instruction without a known edit: a visible but harmless change. */
function mildlyGraded(image: RgbImage, random: Random): RgbImage {
  const mood = pick<Mood>(random, ['warm', 'cool', 'vivid', 'muted', 'dramatic']);
  return gradePixels(image, moodGrade(mood, 0.6 + 0.3 * random()));
}
