// A program with a background process that is in the middle of work. It sends that process's id.
import { join } from 'node:path';
import { BackgroundProcess } from './background-process';
import type { TestReply, TestWork } from './work.fixtures';

if (process.send) {
  const child = new BackgroundProcess<{ work: TestWork }, TestReply>({ file: join(__dirname, 'work.fixtures.ts') });
  void child.run({ work: 'double' }).then(() => {
    void child.run({ work: 'never' });
    process.send?.(child.pid);
  });
}
