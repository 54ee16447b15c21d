import { ApiError } from '@kinora/contracts/shared/errors';
import { Command } from 'commander';
import { nameFlag } from './name-flag';

describe('a field that a service refuses', () => {
  const list = new Command().option('--job <job-id>').option('--limit <n>').argument('<model-id>');
  const name = (param: string) => nameFlag(new ApiError('invalid_body', 'It is wrong.', { param }), list).param;

  it.each([
    ['limit', '--limit'],
    ['job_id', '--job'],
    ['model_id', 'model_id'],
    ['account_id', 'account_id'],
  ])('%s is reported as %s, the flag of the command', (field, shown) => {
    expect(name(field)).toBe(shown);
  });
});
