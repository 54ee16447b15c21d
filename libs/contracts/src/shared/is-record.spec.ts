import { isRecord } from './texts';

describe('is record', () => {
  it.each([[{}], [{ a: 1 }], [Object.create(null)]])('takes %j', (value: unknown) => {
    expect(isRecord(value)).toBe(true);
  });

  it.each([[null], [undefined], [[]], [['a']], ['text'], [1], [true], [() => undefined]])(
    'refuses %p',
    (value: unknown) => {
      expect(isRecord(value)).toBe(false);
    },
  );
});
