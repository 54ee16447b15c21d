import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { Kinora } from '@kinora/client';
import { ToolRefusal } from '../answers/tool-answer';
import { readSides, toImageSource } from './image-argument';

const CONTENT = Buffer.from('an image');

describe('an image that an agent names', () => {
  const outside = mkdtempSync(path.join(os.tmpdir(), 'mcp-images-'));
  const imageFolder = path.join(outside, 'images');
  const kinora = new Kinora({
    apiKey: 'knr_test_x',
    baseURL: 'http://api.example/v1',
    fetch: async () => await Promise.resolve(Response.json({ status: 'failed', output: null })),
  });

  beforeAll(() => {
    mkdirSync(path.join(imageFolder, 'below'), { recursive: true });
    // A folder whose name begins like that of the image folder is another one.
    mkdirSync(`${imageFolder}-private`);
    for (const file of ['images/lake.png', 'images/below/boat.png', 'secret.png', 'images-private/secret.png'])
      writeFileSync(path.join(outside, file), CONTENT);
    symlinkSync(path.join(outside, 'secret.png'), path.join(imageFolder, 'link.png'));
    symlinkSync(path.join(imageFolder, 'lake.png'), path.join(imageFolder, 'link-inside.png'));
  });
  afterAll(() => rmSync(outside, { recursive: true }));

  it.each(['https://example.com/a.png', 'http://example.com/a.png', 'data:image/png;base64,AAAA'])(
    'is sent as it is: %s',
    async (argument) => expect(await toImageSource({ kinora, imageFolder }, argument)).toBe(argument),
  );

  it.each(['lake.png', 'below/boat.png', 'below/../lake.png', 'link-inside.png', path.join(imageFolder, 'lake.png')])(
    'is read from the image folder: %s',
    async (argument) => expect(await toImageSource({ kinora, imageFolder }, argument)).toEqual(CONTENT),
  );

  it.each([
    ...['../secret.png', 'below/../../secret.png', '../images-private/secret.png', 'link.png', '/etc/hostname'],
    ...[path.join(outside, 'secret.png'), '.', '', 'missing.png', 'file:///etc/hostname'],
  ])('is not read outside the folder: "%s"', async (argument) => {
    await expect(toImageSource({ kinora, imageFolder }, argument)).rejects.toThrow('the only folder');
    await expect(toImageSource({ kinora, imageFolder: null }, argument)).rejects.toThrow('This server reads no files.');
  });

  it('is refused where its job has no such image', async () => {
    const argument = 'job:019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11/0';
    await expect(toImageSource({ kinora, imageFolder }, argument)).rejects.toThrow(ToolRefusal);
  });
});

const image = () => sharp({ create: { width: 30, height: 20, channels: 3, background: '#0088ff' } });

describe('the sides of an image', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('are read from the header of a file in %s', async (format) => {
    const bytes = await image().toFormat(format).toBuffer();
    const uri = `data:image/${format};base64,${bytes.toString('base64')}`;
    expect([await readSides(bytes), await readSides(uri)]).toEqual(Array(2).fill({ width: 30, height: 20 }));
  });

  it.each(['tiff', 'gif', 'avif'] as const)('are unknown for a file in %s, which no loader opens', async (format) => {
    expect(await readSides(await image().toFormat(format).toBuffer())).toBeNull();
  });

  it('are unknown for an SVG, which no loader opens', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>');
    expect(await readSides(svg)).toBeNull();
    expect(await readSides(`data:image/png;base64,${svg.toString('base64')}`)).toBeNull();
  });

  it('are those of the upright image', async () => {
    const turned = await image().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await readSides(turned)).toEqual({ width: 20, height: 30 });
  });

  it.each(['https://example.com/lake.png', 'data:image/png;base64,AAAA', 'data:image/png', Buffer.from('a text')])(
    'are unknown for %p',
    async (source) => expect(await readSides(source)).toBeNull(),
  );
});
