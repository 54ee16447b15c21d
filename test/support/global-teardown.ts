/** Once a run of jest, when all specs are done. */
export default async function stopServersForSpecs(): Promise<void> {
  await globalThis.kinoraTestServers?.stop();
}
