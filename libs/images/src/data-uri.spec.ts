import { randomBytes } from 'node:crypto';
import { decodeDataUri, ImageProblem } from './image-problem';

const bytes = Buffer.from([0xfb, 0xff, 0xfe, 0x01]);

describe('decode data URI', () => {
  it.each([
    'data:image/png;base64,+//+AQ==',
    'DATA:Image/WEBP;charset=x;Base64,+//+AQ==',
    'data:text/plain;base64,+//+AQ==',
    'data:;base64,+//+AQ==',
    'data:;base64,+//+ AQ==',
    'data:;base64,\r\n+//+\r\nAQ=\t=\n',
  ])('decodes %s', (text) => {
    expect(decodeDataUri(text)).toEqual(bytes);
  });

  it.each([
    ['a missing header', '+//+AQ=='],
    ['data that is not base64', 'data:image/png,%89PNG'],
    ['no data', 'data:image/png;base64,'],
    ['missing padding', 'data:image/png;base64,+//+AQ'],
    ['too much padding', 'data:image/png;base64,+//+AQ==='],
    ['padding inside', 'data:image/png;base64,+//+AQ==+//+AQ=='],
    ['the URL alphabet', 'data:image/png;base64,-__-AQ=='],
    ['only spaces', 'data:image/png;base64, \n'],
    ['a space that is not ASCII', 'data:image/png;base64,+//+\u00A0AQ=='],
    ['a letter whose low byte is base64', 'data:image/png;base64,\u014B//+AQ=='],
    ['bits beyond the last byte', 'data:image/png;base64,+//+AR=='],
  ])('refuses %s', (_name, text) => {
    expect(() => decodeDataUri(text)).toThrow(ImageProblem);
  });

  it.each([
    ['in one line', (base64: string) => base64],
    ['in lines of 76 characters', (base64: string) => base64.replace(/.{76}/g, '$&\r\n')],
  ])('decodes the largest image %s in linear time', (_how, write) => {
    const image = randomBytes(10 * 1024 * 1024);
    const text = `data:image/png;base64,${write(image.toString('base64'))}`;
    const before = process.cpuUsage();
    const decoded = decodeDataUri(text);
    const { user, system } = process.cpuUsage(before);
    expect(decoded.equals(image)).toBe(true);
    // Up to 300 ms of processor time, and several times that beside other programs. A quadratic algorithm takes minutes.
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});
