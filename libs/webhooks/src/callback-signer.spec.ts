import { CallbackSigner, isCallbackOf } from './callback-signer';

const TARGET = { jobId: '0192f3a0-0000-7000-8000-00000000000a', attemptNumber: 2 };

describe('callback signer', () => {
  const signer = new CallbackSigner('a key');
  const path = signer.pathOf('gpu a', TARGET);
  const token = path.slice('/callbacks/gpu%20a/'.length);

  it('makes an address that it reads again', () => {
    expect(path).toMatch(/^\/callbacks\/gpu%20a\/0192f3a0-0000-7000-8000-00000000000a-2\.[\w-]{43}$/);
    expect(signer.read('gpu a', token)).toEqual(TARGET);
    expect(isCallbackOf(`https://kinora.example${path}`, `${TARGET.jobId}-2`)).toBe(true);
    expect(isCallbackOf(`https://kinora.example${path}`, `${TARGET.jobId}-21`)).toBe(false);
  });

  it.each([
    ['of another attempt', 'gpu a', token.replace('-2.', '-3.')],
    ['at another instance', 'gpu b', token],
    ['with another signature', 'gpu a', token.replace(/\.(.)/, (_, first) => (first === 'A' ? '.B' : '.A'))],
    ['with a number written otherwise', 'gpu a', token.replace('-2.', '-02.')],
    ['without a signature', 'gpu a', token.split('.')[0] ?? ''],
    ['of nothing', 'gpu a', ''],
  ])('does not read a token %s', (_name, providerId, forged) => {
    expect(signer.read(providerId, forged)).toBeNull();
  });

  it('does not read what another key signed', () => {
    expect(new CallbackSigner('another key').read('gpu a', token)).toBeNull();
  });
});
