import { crashReason } from './crash-reason';

describe('crash reason of a program', () => {
  it('is the last line of its log', () => {
    expect(crashReason('starting\nKINORA_PORT: must be a number\n')).toBe('KINORA_PORT: must be a number');
  });

  it('is the error if the line is structured', () => {
    const crash = { level: 'fatal', stack: 'Error: no such route\n    at somewhere', msg: 'service_crashed' };
    expect(crashReason(`{"level":"info"}\n${JSON.stringify(crash)}\n`)).toBe('no such route');
    const refusal = { level: 'error', msg: 'Error: catalog.yaml:2: id is missing' };
    expect(crashReason(JSON.stringify(refusal))).toBe('catalog.yaml:2: id is missing');
  });

  it('is the error that Node reports for an uncaught exception', () => {
    const report =
      "throw err;\n^\n\nError: Cannot find module 'x'\n    at somewhere {\n  code: 'X'\n}\n\nNode.js v20.20.2\n";
    expect(crashReason(report)).toBe("Error: Cannot find module 'x'");
  });

  it('is the error of initdb, and not the message about its cleanup', () => {
    const log = [
      'performing post-bootstrap initialization ... 2026-11-22 13:10:23.877 UTC [1] FATAL:  could not write to file "base/4/1249": No space left on device',
      '2026-11-22 13:10:23.877 UTC [1] STATEMENT:  CREATE DATABASE template0;',
      '\t',
      'child process exited with exit code 1',
      'initdb: removing contents of data directory "/proc/self/fd/3"',
    ];
    expect(crashReason(log.join('\n'))).toBe('could not write to file "base/4/1249": No space left on device');
  });

  it('is marked as missing if there is none, and is never long', () => {
    expect(crashReason('')).toBe('it said nothing');
    expect(crashReason('x'.repeat(10_000)).length).toBeLessThanOrEqual(302);
    expect(crashReason(`there are ${'sixteen-letters, '.repeat(99)}`)).toMatch(/ sixteen-letters, sixteen-letters …$/);
  });
});
