import { mediaUrl } from '../../api/customer';
import type { InputImage } from '../draft/draft';

export const INPUT_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

export const readUpload = (file: File) => read(file, file.name, URL.createObjectURL(file), null);

/** @param source an output, as `<job id>/<index>` */
export async function readOutput(source: string): Promise<InputImage> {
  const [jobId = '', index] = source.split('/');
  const answer = await fetch(mediaUrl(jobId, Number(index)));
  if (!answer.ok) throw new Error('The file that this was made from is deleted. Choose an image.');
  return read(await answer.blob(), 'Output of a job', mediaUrl(jobId, Number(index), 128), source);
}

async function read(file: Blob, name: string, preview: string, source: string | null): Promise<InputImage> {
  const [dataUri, sides] = await Promise.all([dataUriOf(file, name), sidesOf(file, name)]);
  return { name, dataUri, preview, source, ...sides };
}

async function sidesOf(file: Blob, name: string): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new Error(`${name} cannot be read as an image.`);
  });
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

function dataUriOf(file: Blob, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(`${name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
