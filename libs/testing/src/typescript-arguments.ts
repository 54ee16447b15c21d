import path from 'node:path';

/** With these arguments, Node and its worker threads run TypeScript; jest compiles only what it loads itself. */
export const TYPESCRIPT_ARGUMENTS = ['--require', path.join(__dirname, '../../../test/typescript.cjs')];
