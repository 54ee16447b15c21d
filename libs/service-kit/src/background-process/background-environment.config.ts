/** Background processes read untrusted bytes: their environment has none of our secrets. */
export function backgroundEnvironment(): NodeJS.ProcessEnv {
  const { PATH, MALLOC_ARENA_MAX } = process.env;
  return { ...(PATH && { PATH }), ...(MALLOC_ARENA_MAX && { MALLOC_ARENA_MAX }) };
}
