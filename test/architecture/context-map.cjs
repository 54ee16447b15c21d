// The rows of the context map, as import rules.
/** The contracts that each context may import: its own, and those in its row of the context map. */
const CONTEXT_MAP = {
  // The console keeps the log of its requests; customers appeal against blocks, and strangers ask where a file is from.
  gateway: ['jobs', 'billing', 'catalog', 'moderation', 'webhooks', 'console'],
  // A deletion of content is complete in the deliveries too when it is answered.
  jobs: ['jobs', 'billing', 'catalog', 'moderation', 'webhooks'],
  // Five strikes suspend an account, and billing owns accounts and knows by their holds which jobs to cancel.
  billing: ['billing', 'moderation', 'jobs'],
  moderation: ['moderation'],
  catalog: ['catalog'],
  'webhook-dispatcher': ['jobs', 'billing', 'webhooks'],
  // What its pages show and do lies in all contexts.
  console: ['jobs', 'billing', 'catalog', 'moderation', 'webhooks', 'console'],
  // A client of the public API.
  mcp: [],
  sandbox: [],
};

module.exports = Object.entries(CONTEXT_MAP).map(([app, contexts]) => ({
  name: `context-map-${app}`,
  comment: 'An import of a contract outside its row of the context map couples two contexts by accident.',
  severity: 'error',
  from: { path: `^apps/${app}/` },
  to: { path: '^libs/contracts/src/', pathNot: `^libs/contracts/src/(${['shared', ...contexts].join('|')})/` },
}));
