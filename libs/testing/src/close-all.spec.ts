import { closeAll } from './test-service';

describe('closeAll', () => {
  it('closes the parts after one that fails, in order, and throws the first error', async () => {
    const closed: string[] = [];
    const close = (name: string) => () => Promise.resolve(closed.push(name));
    const fail = (name: string) => () => Promise.reject(new Error(name));
    const closing = closeAll([close('client'), fail('service'), fail('database'), close('broker')]);
    await expect(closing).rejects.toThrow('service');
    expect(closed).toEqual(['client', 'broker']);
  });
});
