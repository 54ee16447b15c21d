declare global {
  var kinoraSpecsFailed: boolean | undefined;
}

/** Long enough for jest to write its report. */
const EXIT_WITHIN_MS = 2_000;

export default async function stopServersOfSpecs(): Promise<void> {
  await globalThis.kinoraTestServers?.stop();
  // A spec that fails in the middle of its set-up leaves connections open, which would keep jest alive for ever. A run that
  // passes gets no such help: what it leaves open is a fault, which test/run.mjs counts.
  if (globalThis.kinoraSpecsFailed) setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref();
}
