// The build of the console's web application. deploy/build/build-web.mjs runs it, and keeps the result by the hash of the sources.
// `npm run dev:pages` serves the sources with it, in front of a running stack.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

/** The console that answers everything but the pages: that of the running stack. */
function consoleOrigin() {
  const folder = process.env.KINORA_DATA_DIR ?? '.kinora';
  const stack = path.resolve(root, '../../..', folder, 'stack.json');
  return new URL(JSON.parse(readFileSync(stack, 'utf8')).console_url).origin;
}

/** The console accepts writes from its own pages only, and these are they. */
function proxyTo(target) {
  const headers = { origin: target };
  return { '^/(admin|media)/': { target, changeOrigin: true, headers } };
}

/** Addresses without a file belong to one of the two applications. */
const operatorPages = {
  name: 'operator-pages',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (/^\/operator(\/[^.]*)?(\?|$)/.test(request.url)) request.url = '/operator.html';
      next();
    });
  },
};

export default defineConfig(({ command }) => ({
  root,
  base: '/',
  resolve: { alias: { '@kinora/client': path.join(root, '../../../libs/sdk-typescript/src/index.ts') } },
  plugins: [operatorPages],
  ...(command === 'serve' && { server: { proxy: proxyTo(consoleOrigin()) } }),
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
}));
