import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { editPictures } from '../edit/edit-pictures';
import { paintScene } from '../paint/paint-scene';
import { fromSharp, type Picture } from '../raster/picture';
import { sceneFromPrompt } from '../scene/scene-from-prompt';
import { applyStyles } from '../styles/apply-styles';
import { type DrawOrder } from './draw-order';
import { encodePng } from './encode-png';

const MODERATION_TEST_PICTURE = path.resolve(__dirname, '../../assets/moderation-test.png');

/**
 * Draws one picture and gives the bytes of its PNG: the same order, the same bytes.
 * `assertWanted` is called now and then and may throw to give the drawing up.
 */
export async function drawPicture(order: DrawOrder, assertWanted: () => void): Promise<Uint8Array> {
  if (order.blocked) return encodePng(await moderationTestPicture(order), order.operation);
  const picture = await pictureOf(order, assertWanted);
  assertWanted();
  return encodePng(await applyStyles(picture, order.styles, order.seed), order.operation);
}

async function pictureOf(order: DrawOrder, assertWanted: () => void): Promise<Picture> {
  if (order.operation === 'image.edit') return editPictures(order, assertWanted);
  return paintScene(sceneFromPrompt(order), order.width, order.height, assertWanted);
}

/** Stretched, not cropped, and in no style: moderation has to recognise all of it. */
async function moderationTestPicture({ width, height }: DrawOrder): Promise<Picture> {
  const file = sharp(await readFile(MODERATION_TEST_PICTURE));
  return fromSharp(file.resize(width, height, { fit: 'fill', kernel: 'nearest' }));
}
