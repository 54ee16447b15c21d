import { randomBytes } from 'node:crypto';
import type { ApiError } from '@kinora/contracts/shared/errors';
import type { ReceivedBody } from '../received-body';
import { Form } from './form';
import { MultipartReader, PARTS_MAX, TEXT_MAX_BYTES } from './multipart-reader';

const BOUNDARY = 'x-boundary';
const MIB = 1024 * 1024;

const part = (disposition: string, content: string | Buffer = '', ...headers: string[]): Buffer =>
  Buffer.concat([
    Buffer.from([`--${BOUNDARY}`, `Content-Disposition: form-data${disposition}`, ...headers, '', ''].join('\r\n')),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const text = (name: string, content: string | Buffer = 'a'): Buffer => part(`; name="${name}"`, content);
const file = (name: string, content: string | Buffer = 'a', type = 'image/png'): Buffer =>
  part(`; name="${name}"; filename="a.png"`, content, `Content-Type: ${type}`);
const body = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);

async function read(chunks: Iterable<Buffer>, boundary = BOUNDARY): Promise<ReceivedBody> {
  const reader = new MultipartReader(boundary);
  try {
    for (const chunk of chunks) reader.add(chunk);
  } catch (error) {
    reader.drop();
    throw error;
  }
  return reader.end();
}
const readForm = async (...parts: Buffer[]): Promise<Record<string, unknown>> =>
  Object.fromEntries(((await read([body(...parts)])).value as Form).values);
const hashOf = async (...parts: Buffer[]): Promise<string | undefined> => (await read([body(...parts)])).sha256;
const inPieces = function* (bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

describe('a multipart body', () => {
  it('is its fields in the names of the clients of OpenAI', async () => {
    const form = await readForm(
      text('prompt', 'a föx'),
      file('image[]', 'one'),
      text('metadata[order]', '7'),
      file('image', 'two', 'text/plain'),
      text('tag[]', 'x'),
      text('metadata[__proto__]', '8'),
      text('tag[]', 'y'),
    );
    expect(form).toEqual({
      prompt: 'a föx',
      image: [Buffer.from('one'), Buffer.from('two')],
      metadata: new Map([
        ['order', '7'],
        ['__proto__', '8'],
      ]),
      tag: ['x', 'y'],
    });
  });

  it('is read as fetch sends it', async () => {
    const sent = new FormData();
    const image = randomBytes(300_000);
    sent.append('prompt', 'two\r\nlines');
    sent.append('image', new Blob([image]), 'größe "1".png');
    const response = new Response(sent);
    const [, boundary = ''] = (response.headers.get('content-type') ?? '').split('boundary=');
    const { value } = await read(inPieces(Buffer.from(await response.arrayBuffer()), 65_536), boundary);
    expect(value).toEqual(
      new Form(
        new Map<string, string | Buffer<ArrayBuffer>[]>([
          ['prompt', 'two\r\nlines'],
          ['image', [image]],
        ]),
      ),
    );
  });

  it('is the same in chunks of any size, with boundaries, line ends and dashes in its files', async () => {
    const tricky = Buffer.from(`a--${BOUNDARY}\r\n--x-boundar\r\n--\r\n\r\n-\r`);
    const nested = file('image', Buffer.concat([tricky, randomBytes(99), tricky]), 'multipart/mixed; boundary=y');
    const bytes = Buffer.concat([
      Buffer.from('a preamble\r\n'),
      body(text('a', ''), nested, text('b')),
      Buffer.from('the end'),
    ]);
    const whole = await read([bytes]);
    for (let size = 1; size < 300; size++) expect(await read(inPieces(bytes, size))).toEqual(whole);
    expect((whole.value as Form).values.get('b')).toBe('a');
  });

  it.each([
    ['empty', Buffer.alloc(0), null],
    ['without a boundary', Buffer.from('prompt=a'), null],
    ['that ends in a part', body(text('prompt')).subarray(0, -17), 'prompt'],
    ['that ends in a header', body(text('prompt'), text('size')).subarray(0, -50), null],
    ['that ends without its last dash', body(text('prompt')).subarray(0, -3), null],
    ['with a part without a header', body(Buffer.from(`--${BOUNDARY}\r\n\r\na\r\n`)), null],
    [
      'with a part whose header does not end',
      body(Buffer.from(`--${BOUNDARY}\r\nContent-Type: a\r\n`), text('a')),
      null,
    ],
    ['with a part without a name', body(part('')), null],
    ['with a part of two names', body(part('; name="a"; name="b"')), null],
    ['with a name that is not closed', body(part('; name="a')), null],
    ['with an escaped name', body(part('; name="a\\"b"')), null],
    ['with a name that is not UTF-8', body(Buffer.from(text('\u00ff').toString('utf8'), 'latin1')), null],
    [
      'with an attachment',
      body(Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: attachment; name="a"\r\n\r\n`)),
      null,
    ],
    ['with a huge name', body(text('n'.repeat(60_000))), 'n'.repeat(200)],
    ['with a huge header', body(part(`; x=${'x'.repeat(200_000)}; name="a"`)), null],
    ['with a field twice', body(text('prompt'), text('size'), text('prompt')), 'prompt'],
    ['with an entry twice', body(text('metadata[a]'), text('metadata[a]')), 'metadata[a]'],
    ['with a field as text and as a file', body(text('image'), file('image')), 'image'],
    ['with a field as text and as a list', body(text('a'), text('a[]')), 'a[]'],
    ['with a list and an entry of it', body(text('a[]'), text('a[b]')), 'a[b]'],
    ['with a text that is not UTF-8', body(text('prompt', Buffer.from([0x22, 0xff]))), 'prompt'],
    [
      'with a text in Latin-1',
      body(part('; name="prompt"', 'a', 'Content-Type: text/plain; charset=iso-8859-1')),
      'prompt',
    ],
    ['with a base64 part', body(part('; name="image"', 'YQ==', 'Content-Transfer-Encoding: base64')), 'image'],
    ['with a long text', body(text('prompt', 'a'.repeat(TEXT_MAX_BYTES + 1))), 'prompt'],
    ['with a file beyond 10 MiB', body(file('image', Buffer.alloc(10 * MIB + 1))), 'image'],
  ])('%s is refused', async (_name, bytes, param) => {
    const refused = expect.objectContaining({ code: 'invalid_body', ...(param !== null && { param }) }) as unknown;
    await expect(read([bytes])).rejects.toEqual(refused);
    await expect(read(inPieces(bytes, Math.max(7, bytes.length / 1_000)))).rejects.toEqual(refused);
  });

  it('is read or refused however it is damaged, and never waited for', async () => {
    const bytes = body(
      text('prompt'),
      file('image', randomBytes(40)),
      text('metadata[a]'),
      file('image'),
      text('size'),
    );
    const outcomes = new Set<string>();
    for (let place = 0; place < bytes.length; place++)
      for (const damage of [Buffer.alloc(0), Buffer.from('\r\n'), Buffer.from('-'), Buffer.from(`\r\n--${BOUNDARY}`)]) {
        const damaged = Buffer.concat([bytes.subarray(0, place), damage, bytes.subarray(place + (place % 3))]);
        const outcome = await read(inPieces(damaged, 1 + (place % 97))).catch((error: ApiError) => error.code);
        outcomes.add(typeof outcome === 'string' ? outcome : 'read');
      }
    expect([...outcomes].sort()).toEqual(['invalid_body', 'read']);
  });

  it('takes a text and a file of exactly their limits', async () => {
    const form = await readForm(text('prompt', 'a'.repeat(TEXT_MAX_BYTES)), file('image', Buffer.alloc(10 * MIB)));
    expect([(form['prompt'] as string).length, (form['image'] as Buffer[])[0]?.length]).toEqual([
      TEXT_MAX_BYTES,
      10 * MIB,
    ]);
  });

  it('has a bounded number of parts, and the next one is refused while the rest still arrives', async () => {
    const names = Array.from({ length: PARTS_MAX + 1 }, (_, place) => text(`n${place}`));
    expect(Object.keys(await readForm(...names.slice(1)))).toHaveLength(PARTS_MAX);
    const reader = new MultipartReader(BOUNDARY);
    expect(() => reader.add(Buffer.concat(names))).toThrow('The body must have at most 64 parts.');
  });

  it('may have a text without a content type, and a file with an encoding that changes nothing', async () => {
    const plain = part('; NAME=prompt', 'a', 'content-type: text/plain; charset="UTF-8"');
    const binary = part('; name="image"; filename*=UTF-8\'\'a', 'b', 'Content-Transfer-Encoding: binary');
    expect(await readForm(plain, binary)).toEqual({ prompt: 'a', image: [Buffer.from('b')] });
  });
});

describe('the hash of a multipart body', () => {
  it('is that of its parts, and not of the boundary or the file names', async () => {
    const sent = body(text('prompt'), file('image'));
    const anew = Buffer.from(
      sent.toString('latin1').replaceAll(BOUNDARY, 'another').replace('a.png', 'b.png'),
      'latin1',
    );
    const { sha256, bytes_sha256 } = await read([sent]);
    expect([sha256, bytes_sha256]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), sha256]);
    expect((await read([anew], 'another')).sha256).toBe(sha256);
  });

  it.each([
    ['a text', [text('prompt', 'b'), file('image')]],
    ['the bytes of a file', [text('prompt'), file('image', 'b')]],
    ['a type', [text('prompt'), file('image', 'a', 'image/jpeg')]],
    ['a name', [text('prompt'), file('image[]')]],
    ['the order', [file('image'), text('prompt')]],
    ['the number of parts', [text('prompt'), file('image'), file('image')]],
    ['the border of two parts', [text('promptimage', ''), file('', 'a')]],
  ])('differs with %s', async (_name, parts) => {
    const hash = await hashOf(...parts).catch(() => 'refused');
    expect(hash).not.toBe(await hashOf(text('prompt'), file('image')));
  });
});

describe('the memory of a multipart body', () => {
  it('is little more than its parts', async () => {
    const names = Array.from({ length: PARTS_MAX }, (_, place) => file(`n${place}`));
    const { value } = await read([body(...names)]);
    const held = [...(value as Form).values.values()].flat() as Buffer[];
    expect(held).toHaveLength(PARTS_MAX);
    const reader = new MultipartReader(BOUNDARY);
    const large = body(file('image', Buffer.alloc(5 * MIB)));
    const before = process.memoryUsage().arrayBuffers;
    for (const chunk of inPieces(large, 65_536)) reader.add(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.5 * large.length);
    reader.drop();
  });
});
