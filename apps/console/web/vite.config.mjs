// The build of the console's web application. deploy/build/build-web.mjs runs it, and keeps the result by the hash of the sources.
import path from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

export default defineConfig({
  root,
  base: '/',
  resolve: { alias: { '@kinora/client': path.join(root, '../../../libs/sdk-typescript/src/index.ts') } },
  build: {
    target: 'es2022',
    // light-dark() and native nesting stay as written.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // A small file in a data: URI would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // "use client" of a package is for renderers on servers.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      input: { index: path.join(root, 'index.html'), operator: path.join(root, 'operator.html') },
    },
  },
});
