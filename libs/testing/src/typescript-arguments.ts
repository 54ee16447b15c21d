import path from 'node:path';

/** With these Node, and a thread of its, runs TypeScript; jest itself compiles only what it loads. */
export const TYPESCRIPT_ARGUMENTS = ['--require', path.join(__dirname, '../../../test/typescript.cjs')];
