/**
 * Closes the parts of a fixture in order, all of them even if one fails: a server that stays open keeps jest's worker alive
 * after its last spec.
 * @throws the first error
 */
export async function closeAll(closing: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closing) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
