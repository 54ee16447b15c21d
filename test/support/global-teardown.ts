declare global {
  var kinoraSpecsFailed: boolean | undefined;
}

/** Long enough for jest to write its report. */
const EXIT_WITHIN_MS = 2_000;

export default async function stopServersOfSpecs(): Promise<void> {
  // An error fails the run: the books of the shared stack do not balance after its specs.
  await globalThis.kinoraSharedStack?.stop();
  await globalThis.kinoraTestServers?.stop();
  // A spec that fails during its set-up leaves connections open, which would keep jest alive for ever. A successful run is not
  // ended this way: a handle that it leaves open is a defect, which test/run.mjs counts.
  if (globalThis.kinoraSpecsFailed) setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref();
}
