import { keepCompiledCode } from '@kinora/service-kit/without-nest';
import { runCli } from './run-cli';

void runCli(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
}).then((exitCode) => {
  process.exitCode = exitCode;
  keepCompiledCode();
});
