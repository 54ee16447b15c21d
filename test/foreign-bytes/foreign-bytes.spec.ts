import fc from 'fast-check';
import { FILE_PARSERS } from './file-parsers';
import { mutatedBytes } from './mutated-bytes';
import { Trial } from './parser';
import { ReachedCode } from './reached-code';
import { TEXT_PARSERS } from './text-parsers';

/** For each parser; `npm run fuzz` takes three minutes, and more by this variable. A failure prints the bytes. */
const SECONDS = Number(process.env['FOREIGN_BYTES_SECONDS'] ?? 0.5);
/** Of an input that is never answered. */
const HUNG_MS = 30_000;
const ANY_NUMBER = 1e9;
const PARSERS = { ...FILE_PARSERS, ...TEXT_PARSERS };

describe('bytes of strangers are read or refused, stall nothing and fill no memory', () => {
  afterAll(async () => {
    for (const { end } of Object.values(PARSERS)) await end?.();
  });

  it.each(Object.entries(PARSERS))(
    '%s',
    async (name, parser) => {
      // An input that reaches new code is a sample of what follows.
      const samples = await parser.samples();
      const trial = new Trial(parser);
      for (const sample of samples) await trial.run(sample);
      const code = new ReachedCode();
      const property = fc.asyncProperty(mutatedBytes(samples), async (bytes) => {
        await trial.run(bytes);
        if (code.hasGrown()) samples.push(bytes);
      });
      const limits = { interruptAfterTimeLimit: SECONDS * 1_000, markInterruptAsFailure: false };
      await fc.assert(property, { ...limits, numRuns: ANY_NUMBER, timeout: HUNG_MS });
      const { executions, slowestMs, growthKb } = trial;
      const row = `${name}: ${executions} inputs, ${samples.length} samples, ${slowestMs} ms, ${growthKb} kB\n`;
      if (SECONDS > 1) process.stdout.write(row);
    },
    SECONDS * 1_000 + 2 * HUNG_MS,
  );
});
