import { readDirectives } from './directives';

const none = { delayMs: 0, fail: undefined, blocked: false };

describe('directives of a prompt', () => {
  it.each([
    ['a lake', none, 'a lake'],
    ['[[delay:3s]] a lake', { ...none, delayMs: 3000 }, 'a lake'],
    ['a lake [[delay:1.5s]][[delay:500ms]]', { ...none, delayMs: 2000 }, 'a lake'],
    ['[[FAIL:Error]] a lake', { ...none, fail: 'error' }, 'a lake'],
    ['a [[delay:2s]] lake [[fail:lost]] [[fail:error]]', { ...none, delayMs: 2000, fail: 'lost' }, 'a   lake'],
    ['[[output:blocked]]', { ...none, blocked: true }, ''],
    ['[[fail:unheard-of]] [[delay:soon]]', none, '[[fail:unheard-of]] [[delay:soon]]'],
  ])('%s', (text, directives, prompt) => {
    expect(readDirectives(text)).toEqual({ directives, prompt });
  });

  it('never wait longer than a timer can', () => {
    expect(readDirectives('[[delay:999999999999s]]').directives.delayMs).toBe(86_400_000);
  });
});
