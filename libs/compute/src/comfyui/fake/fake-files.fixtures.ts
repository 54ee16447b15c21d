import path from 'node:path';

export interface FileName {
  filename: string;
  subfolder: string;
  type: string;
}

const MIME: Record<string, string> = { '.png': 'image/png', '.mp4': 'video/mp4' };

/** The folders `input`, `output` and `temp`. */
export class FakeFiles {
  private readonly files = new Map<string, Buffer>();

  /** Names uploads as the server does: other bytes under an existing name get a new name, unless `overwrite` is set. */
  upload(filename: string, bytes: Buffer, folder: string, isOverwriting: boolean): FileName {
    const { name, ext } = path.parse(filename);
    let file = { filename, subfolder: folder, type: 'input' };
    for (let copy = 1; !isOverwriting && this.holdsOther(file, bytes); copy++)
      file = { ...file, filename: `${name} (${copy})${ext}` };
    this.files.set(keyOf(file), bytes);
    return file;
  }

  /** Numbers files as SaveImage and SaveVideo do. */
  save(prefix: string, made: { bytes: Buffer; extension: string }[], type = 'output'): FileName[] {
    const { dir: subfolder, base } = path.parse(prefix);
    let counter = 1;
    return made.map(({ bytes, extension }) => {
      const toName = (): FileName => ({
        filename: `${base}_${String(counter).padStart(5, '0')}_${extension}`,
        subfolder,
        type,
      });
      while (this.files.has(keyOf(toName()))) counter += 1;
      this.files.set(keyOf(toName()), bytes);
      return toName();
    });
  }

  find(file: FileName): { bytes: Buffer; mime: string } | null {
    const bytes = this.files.get(keyOf(file));
    return bytes ? { bytes, mime: MIME[path.extname(file.filename)] ?? 'application/octet-stream' } : null;
  }

  /** Finds an upload by the name that LoadImage uses. */
  findUpload(name: string): Buffer | null {
    const { dir: subfolder, base: filename } = path.parse(name);
    return this.files.get(keyOf({ filename, subfolder, type: 'input' })) ?? null;
  }

  clear(type: string): void {
    for (const key of this.files.keys()) if (key.startsWith(`${type}:`)) this.files.delete(key);
  }

  private holdsOther(file: FileName, bytes: Buffer): boolean {
    const held = this.files.get(keyOf(file));
    return held !== undefined && !held.equals(bytes);
  }
}

function keyOf({ filename, subfolder, type }: FileName): string {
  return `${type}:${path.posix.join(subfolder, filename)}`;
}
