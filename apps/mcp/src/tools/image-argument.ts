import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { decodeDataUri, isDataUri, openImage } from '@kinora/images';
import type { ImageSides, ImageSource } from '@kinora/client';
import { type ToolContext, ToolRefusal } from '../answers/tool-answer';

const OUTPUT = /^job:([0-9a-f-]{36})\/([0-3])$/;
const ADDRESS = /^(https?:\/\/|data:image\/)/;

export const imageArgument = z
  .string()
  .min(1)
  .describe(
    'An https address, a data URI, `job:ID/INDEX` for an image of an earlier job (INDEX from 0), or a path in the image folder of this server.',
  );

/** @throws ToolRefusal for a path outside the image folder, and for a job without that image */
export async function toImageSource(context: ToolContext, argument: string): Promise<ImageSource> {
  if (ADDRESS.test(argument)) return argument;
  const [, jobId, index] = OUTPUT.exec(argument) ?? [];
  if (jobId !== undefined) return await outputOf(context, jobId, Number(index));
  return await fileOf(context, argument);
}

async function outputOf({ kinora }: ToolContext, jobId: string, index: number): Promise<Uint8Array> {
  const { output, status } = await kinora.jobs.get(jobId);
  const image = output && 'images' in output ? output.images[index] : undefined;
  if (!image?.url) throw new ToolRefusal(`Job ${jobId} is ${status} and has no image ${index} any more, or not yet.`);
  return await kinora.download(image);
}

/** The real path is compared, so that a link inside the folder leads to no file outside. */
async function fileOf({ imageFolder }: ToolContext, argument: string): Promise<Uint8Array> {
  if (imageFolder === null)
    throw new ToolRefusal(
      `"${shortened(argument)}" is no https address, data URI or job:ID/INDEX. This server reads no files.`,
    );
  const folder = await realpath(imageFolder);
  const file = await realpath(path.resolve(folder, argument)).catch(() => null);
  if (file === null || !file.startsWith(folder + path.sep))
    throw new ToolRefusal(
      `There is no file "${shortened(argument)}" in ${imageFolder}, the only folder that this server reads.`,
    );
  return await readFile(file);
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/**
 * The sides in pixels, after EXIF orientation, from which a price may follow. Null for an address, which this server does not
 * open, and for bytes that are no image, which the API refuses.
 */
export async function readSides(source: ImageSource): Promise<ImageSides | null> {
  if (typeof source === 'string' && !isDataUri(source)) return null;
  try {
    const bytes = typeof source === 'string' ? decodeDataUri(source) : source;
    if (!(bytes instanceof Uint8Array)) return null;
    const { width, height } = (await openImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).metadata())
      .autoOrient;
    return { width, height };
  } catch {
    return null;
  }
}
