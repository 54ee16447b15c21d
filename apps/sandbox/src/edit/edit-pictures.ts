import sharp from 'sharp';
import { moodGrade } from '../paint/grade';
import { fromSharp, type Picture } from '../raster/picture';
import { createRandom, hashText, pick, type Random } from '../raster/random';
import { InvalidInputError, type PictureOrder } from '../drawing/draw-order';
import { type Mood } from '../scene/scene';
import { readWishes } from '../wishes/read-wishes';
import { EDIT_OPERATIONS } from './edit-operations';
import { fitPicture } from './fit-picture';
import { sideBySide } from './operations/join-operations';
import { gradePixels } from './pixels';

/** Does to the given pictures what the instruction says, step by step, and brings the result to the wanted size. */
export async function editPictures(order: PictureOrder, assertWanted: () => void): Promise<Picture> {
  const { width, height, seed, prompt } = order;
  const references = await Promise.all(order.images.map((file) => decode(file, width, height)));
  const steps = readWishes(EDIT_OPERATIONS, prompt, order.negativePrompt);
  let [picture] = references;
  if (!picture) throw new InvalidInputError('An edit needs an image.');
  for (const [i, { wish: operation, match, amount }] of steps.entries()) {
    assertWanted();
    const random = createRandom(seed ^ hashText(`${i} ${operation.name}`));
    picture = await operation.apply(picture, match, { amount, random, references, width, height });
  }
  if (steps.length === 0) {
    // Several pictures and no word on what to do with them: show them all.
    picture = await sideBySide(references, order);
    picture = mildlyGraded(picture, createRandom(seed ^ hashText(prompt)));
  }
  return fitPicture(picture, width, height);
}

/** Not larger than the result needs: every step after this one costs by the pixel. */
async function decode(file: Uint8Array, width: number, height: number): Promise<Picture> {
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

/** For an instruction of which nothing was understood: a change that one sees but that harms nothing. */
function mildlyGraded(picture: Picture, random: Random): Picture {
  const mood = pick<Mood>(random, ['warm', 'cool', 'vivid', 'muted', 'dramatic']);
  return gradePixels(picture, moodGrade(mood, 0.6 + 0.3 * random()));
}
