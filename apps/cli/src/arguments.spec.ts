import { Command } from 'commander';
import { ApiError } from '@kinora/contracts/shared/errors';
import { nameFlag, putFlagsLast } from './arguments';

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

describe('put flags last', () => {
  it.each([
    ['account create --name Ada --json', 'account create --name Ada --json'],
    ['--json account create --name Ada', 'account create --json --name Ada'],
    ['--name Ada account --rpm=5 create --help', 'account create --name Ada --rpm=5 --help'],
    ['account top-up --usd -5 id', 'account top-up id --usd -5'],
    ['account create --name', 'account create --name'],
    ['account set-auto-recharge --enabled id', 'account set-auto-recharge id --enabled'],
    ['account set-auto-recharge --disabled id', 'account set-auto-recharge id --disabled'],
    ['account -h create', 'account create -h'],
  ])('makes %j into %j', (written, expected) => {
    expect(putFlagsLast(written.split(' '))).toEqual(expected.split(' '));
  });
});
