import sharp from 'sharp';
import { readSides } from './image-sides';

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
