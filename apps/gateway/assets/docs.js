// Renders the openapi.json next to this page. The page loads nothing from other origins, and does not store a pasted key.

const address = new URL('openapi.json', document.baseURI);
const reference = document.getElementById('reference');

/** A proxy may serve the page below a path prefix; the API then has the same prefix. */
function beside({ url, ...server }) {
  return { ...server, url: new URL(`.${url}`, address).href };
}

async function show() {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} answered ${response.status}.`);
  const spec = await response.json();
  SwaggerUIBundle({
    spec: { ...spec, servers: spec.servers.map(beside) },
    domNode: reference,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    defaultModelRendering: 'model',
    displayRequestDuration: true,
    docExpansion: 'list',
    persistAuthorization: false,
    showCommonExtensions: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
}

show().catch((error) => {
  reference.textContent = `The reference cannot be shown: ${error.message}`;
});
