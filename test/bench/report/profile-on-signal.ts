// Preloaded into the processes of a stack that is profiled: SIGUSR2 begins a CPU profile, the next one writes it to
// `$BENCH_PROFILE_DIR/<pid>.cpuprofile`.
import { renameSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import path from 'node:path';

const SAMPLE_EVERY_US = 500;
const session = new Session();
let isProfiling = false;

process.on('SIGUSR2', () => {
  if (isProfiling) session.post('Profiler.stop', (_error, { profile }) => write(profile));
  else begin();
  isProfiling = !isProfiling;
});

function begin(): void {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
  session.post('Profiler.start');
}

/** Renames the complete file, so that a reader never sees a part of it. */
function write(profile: Profiler.Profile): void {
  const file = path.join(process.env['BENCH_PROFILE_DIR'] ?? '.', `${process.pid}.cpuprofile`);
  writeFileSync(`${file}.part`, JSON.stringify(profile));
  renameSync(`${file}.part`, file);
}
