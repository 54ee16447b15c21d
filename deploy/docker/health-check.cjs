// Ends with 0 where the service of this container is ready. The sandbox and mcp have one port for their work and their health.
const { KINORA_HEALTH_PORT: healthPort, SANDBOX_PORT: sandboxPort, KINORA_MCP_PORT: mcpPort } = process.env;
const onlyPort = sandboxPort ?? mcpPort;
const url = onlyPort ? `http://127.0.0.1:${onlyPort}/healthz` : `http://127.0.0.1:${healthPort}/readyz`;

fetch(url).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
