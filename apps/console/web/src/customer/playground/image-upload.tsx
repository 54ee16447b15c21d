import { useId, useState } from 'react';
import { messageOf } from '../../api/client';
import { Button } from '../../components/button';
import type { UploadedImage } from './draft';
import styles from './playground.module.css';

interface ImageUploadProps {
  label: string;
  most: number;
  images: readonly UploadedImage[];
  onChange: (images: readonly UploadedImage[]) => void;
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const MAX_BYTES = 10_000_000;

/** Files become data URIs of the request. They go nowhere before it is sent. */
export function ImageUpload({ label, most, images, onChange }: ImageUploadProps) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const [names, setNames] = useState<readonly string[]>([]);
  const add = async (files: readonly File[]) => {
    const refused = files.find(({ type, size }) => !TYPES.includes(type) || size > MAX_BYTES);
    setProblem(refused ? `${refused.name}: choose a PNG, JPEG or WebP of 10 MB at most.` : '');
    if (refused) return;
    const read = await Promise.all(files.map(readImage));
    setNames((before) => [...before, ...files.map(({ name }) => name)].slice(-most));
    onChange([...images, ...read].slice(-most));
  };
  const offer = (files: readonly File[]) => void add(files).catch((error: unknown) => setProblem(messageOf(error)));
  return (
    <div
      className={styles['upload']}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        offer([...event.dataTransfer.files]);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={TYPES.join(',')}
        multiple={most > 1}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          offer([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <p id={`${id}-hint`} className={styles['note']} role={problem === '' ? undefined : 'alert'}>
        {problem === '' ? `PNG, JPEG or WebP${most > 1 ? `, up to ${most}` : ''}; or drop a file here.` : problem}
      </p>
      <ul>
        {images.map((_, index) => (
          <li key={index}>
            {names[index] ?? `Image ${index + 1}`}
            <Button
              kind="quiet"
              icon="close"
              aria-label={`Remove ${names[index] ?? `image ${index + 1}`}`}
              onClick={() => {
                setNames(names.filter((_name, at) => at !== index));
                onChange(images.filter((_image, at) => at !== index));
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

async function readImage(file: File): Promise<UploadedImage> {
  const [dataUri, sides] = await Promise.all([dataUriOf(file), sidesOf(file)]);
  return { dataUri, ...sides };
}

async function sidesOf(file: File): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new Error(`${file.name} cannot be read as an image.`);
  });
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

function dataUriOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
