import { useEffect, useEffectEvent, useId, useState } from 'react';
import { messageOf } from '../../api/client';
import { Button } from '../../components/button';
import type { InputImage } from '../draft/draft';
import styles from './image-upload.module.css';
import { INPUT_TYPES, readUpload } from './input-image';

interface ImageUploadProps {
  label: string;
  most: number;
  images: readonly InputImage[];
  onChange: (images: readonly InputImage[]) => void;
}

const MAX_BYTES = 10_000_000;

/** Files become data URIs of the request. They go nowhere before it is sent. */
export function ImageUpload({ label, most, images, onChange }: ImageUploadProps) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const add = async (files: readonly File[]) => {
    const refused = files.find(({ type, size }) => !INPUT_TYPES.includes(type) || size > MAX_BYTES);
    setProblem(refused ? `${refused.name}: choose a PNG, JPEG or WebP of 10 MB at most.` : '');
    if (refused) return;
    const read = await Promise.all(files.map(readUpload));
    onChange([...images, ...read].slice(-most));
  };
  const offer = (files: FileList | null | undefined) =>
    void add([...(files ?? [])]).catch((error: unknown) => setProblem(messageOf(error)));
  const paste = useEffectEvent((event: ClipboardEvent) => {
    if (event.clipboardData?.files.length) offer(event.clipboardData.files);
  });
  useEffect(() => {
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, []);
  return (
    <div
      className={styles['upload']}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        offer(event.dataTransfer.files);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={INPUT_TYPES.join(',')}
        multiple={most > 1}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          offer(event.target.files);
          event.target.value = '';
        }}
      />
      <p
        id={`${id}-hint`}
        className={styles[problem === '' ? 'note' : 'problem']}
        role={problem === '' ? undefined : 'alert'}
      >
        {problem === '' ? `PNG, JPEG or WebP${most > 1 ? `, up to ${most}` : ''}; drop or paste works too.` : problem}
      </p>
      <ul>
        {images.map(({ name, preview, width, height }, index) => (
          <li key={index}>
            <img src={preview} alt="" />
            <span>
              {name}
              <small>
                {width} × {height}
              </small>
            </span>
            <Button
              kind="quiet"
              icon="close"
              aria-label={`Remove ${name}`}
              onClick={() => onChange(images.filter((_image, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
