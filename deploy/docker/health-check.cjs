// Ends with 0 where the service of this container is ready. The sandbox has one port for its work and its health.
const { KINORA_HEALTH_PORT: healthPort, SANDBOX_PORT: sandboxPort } = process.env;
const url = sandboxPort ? `http://127.0.0.1:${sandboxPort}/healthz` : `http://127.0.0.1:${healthPort}/readyz`;

fetch(url).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
