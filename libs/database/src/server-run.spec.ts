import { sharedRun } from './server-run';

describe('the run of a batch', () => {
  it('is the one that all of its items name', () => {
    expect(sharedRun([{ server_run: 'a' }, { server_run: 'a' }])).toBe('a');
  });

  it('is none if an item names another one, or none', () => {
    expect(sharedRun([{ server_run: 'a' }, { server_run: 'b' }])).toBeNull();
    expect(sharedRun([{ server_run: 'a' }, {}])).toBeNull();
    expect(sharedRun([{}, { server_run: 'a' }])).toBeNull();
    expect(sharedRun([{}])).toBeNull();
    expect(sharedRun([])).toBeNull();
  });
});
