import { crashReason } from './crash-reason';

describe('last words of a program', () => {
  it('are the last line of its log', () => {
    expect(crashReason('starting\nKINORA_PORT: must be a number\n')).toBe('KINORA_PORT: must be a number');
  });

  it('are the error where the line is structured', () => {
    const crash = { level: 'fatal', stack: 'Error: no such route\n    at somewhere', msg: 'service_crashed' };
    expect(crashReason(`{"level":"info"}\n${JSON.stringify(crash)}\n`)).toBe('no such route');
    const refusal = { level: 'error', msg: 'Error: catalog.yaml:2: id is missing' };
    expect(crashReason(JSON.stringify(refusal))).toBe('catalog.yaml:2: id is missing');
  });

  it('are the error that Node reports when nobody caught it', () => {
    const report =
      "throw err;\n^\n\nError: Cannot find module 'x'\n    at somewhere {\n  code: 'X'\n}\n\nNode.js v20.20.2\n";
    expect(crashReason(report)).toBe("Error: Cannot find module 'x'");
  });

  it('are why initdb failed, and not that it tidies up', () => {
    const log = [
      'performing post-bootstrap initialization ... 2026-11-22 13:10:23.877 UTC [1] FATAL:  could not write to file "base/4/1249": No space left on device',
      '2026-11-22 13:10:23.877 UTC [1] STATEMENT:  CREATE DATABASE template0;',
      '\t',
      'child process exited with exit code 1',
      'initdb: removing contents of data directory "/proc/self/fd/3"',
    ];
    expect(crashReason(log.join('\n'))).toBe('could not write to file "base/4/1249": No space left on device');
  });

  it('are told to be missing, and are never long', () => {
    expect(crashReason('')).toBe('it said nothing');
    expect(crashReason('x'.repeat(10_000))).toHaveLength(300);
  });
});
