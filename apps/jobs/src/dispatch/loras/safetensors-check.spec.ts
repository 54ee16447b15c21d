import { SafetensorsCheck } from './safetensors-check';
import { headerOf, safetensors } from '../../../test/safetensors.fixtures';

const TENSOR = { dtype: 'U8', shape: [4], data_offsets: [0, 4] };

/** Checks a file in pieces of `pieceBytes` bytes. */
function check(file: Buffer, pieceBytes = 5): void {
  const checked = new SafetensorsCheck();
  for (let start = 0; start < file.length; start += pieceBytes) checked.see(file.subarray(start, start + pieceBytes));
  checked.end();
}

describe('safetensors check', () => {
  it.each([
    ['one tensor', safetensors()],
    ['padding behind the header', safetensors({ header: `${JSON.stringify(headerOf({}))}    ` })],
    ['a scalar', safetensors({ header: headerOf({ shape: [], data_offsets: [0, 2] }), data: Buffer.alloc(2) })],
    [
      'tensors in any order',
      safetensors({ header: { b: { ...TENSOR, data_offsets: [4, 8] }, a: TENSOR }, data: Buffer.alloc(8) }),
    ],
    [
      'an empty tensor between two',
      safetensors({
        header: { a: TENSOR, z: { dtype: 'F32', shape: [0, 9], data_offsets: [4, 4] } },
        data: Buffer.alloc(4),
      }),
    ],
  ])('accepts a file with %s', (_, file) => {
    for (const pieceBytes of [1, 5, 1_000]) expect(() => check(file, pieceBytes)).not.toThrow();
  });

  it.each([
    ['a pickle', Buffer.from('80027d71002855', 'hex')],
    ['a newer pickle', Buffer.concat([Buffer.from('8004950a0000000000000071', 'hex'), Buffer.alloc(64)])],
    ['an archive, which is how torch wraps pickles', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(64)])],
    ['a page', Buffer.from('<!doctype html><html><body>Sign in</body></html>')],
    ['nothing', Buffer.alloc(0)],
    ['a length alone', Buffer.from([200, 0, 0, 0, 0, 0, 0, 0])],
    ['a header of length zero', Buffer.alloc(64)],
    ['a header that is a list', safetensors({ header: '[1]' })],
    ['a header after a space', safetensors({ header: ` ${JSON.stringify(headerOf({}))}` })],
    ['a header that is not JSON', safetensors({ header: '{"a":' })],
    ['no tensors', safetensors({ header: { __metadata__: {} }, data: Buffer.alloc(0) })],
    ['metadata that are not strings', safetensors({ header: { ...headerOf({}), __metadata__: { steps: 7 } } })],
    ['a tensor that is a number', safetensors({ header: { a: 7 } })],
    ['an unknown type', safetensors({ header: headerOf({ dtype: 'OBJECT' }) })],
    ['no shape', safetensors({ header: headerOf({ shape: undefined }) })],
    ['a negative side', safetensors({ header: headerOf({ shape: [-2, -3] }) })],
    ['sides beyond counting', safetensors({ header: headerOf({ shape: [2 ** 40, 2 ** 40] }) })],
    ['offsets the wrong way round', safetensors({ header: headerOf({ data_offsets: [12, 0] }) })],
    ['three offsets', safetensors({ header: headerOf({ data_offsets: [0, 12, 24] }) })],
    ['a tensor larger than its shape', safetensors({ header: headerOf({ shape: [2, 2] }) })],
    [
      'a gap before the first tensor',
      safetensors({ header: headerOf({ data_offsets: [2, 14] }), data: Buffer.alloc(14) }),
    ],
    [
      'overlapping tensors',
      safetensors({ header: { a: TENSOR, b: { ...TENSOR, data_offsets: [2, 6] } }, data: Buffer.alloc(6) }),
    ],
    ['bytes after the last tensor', Buffer.concat([safetensors(), Buffer.from('x')])],
    ['a truncated tensor', safetensors().subarray(0, -1)],
  ])('refuses %s', (_, file) => {
    for (const pieceBytes of [1, 5, 1_000]) expect(() => check(file, pieceBytes)).toThrow(/^The LoRA is no/);
  });
});
