// Runs the stack with some services from source: `npm run dev -- jobs,billing`. docs/contribute/loop.md
import 'reflect-metadata';
import { launcherProgram } from '../launcher-program';
import { StartProblem } from '../start-problem';
import { parseDevArguments } from './dev-arguments';
import { SourceLoop } from './source-loop';

try {
  const { services, inspectPorts } = parseDevArguments(process.argv.slice(2));
  void launcherProgram((options) => new SourceLoop({ ...options, services, inspectPorts }));
} catch (error) {
  if (!(error instanceof StartProblem)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
