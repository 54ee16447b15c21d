// Renders one of the documents that the page links to: `?document=openai` names the second one. The page loads nothing from other origins, and does not store a pasted key.

const tabs = [...document.querySelectorAll('nav a')];
const shown = tabs.find((tab) => tab.search === location.search) ?? tabs[0];
const address = new URL(shown.dataset.file, document.baseURI);
const file = document.getElementById('file');
const reference = document.getElementById('reference');

/** A proxy may serve the page below a path prefix; the API then has the same prefix. */
function beside({ url, ...server }) {
  return { ...server, url: new URL(`.${url}`, document.baseURI).href };
}

async function show() {
  shown.setAttribute('aria-current', 'page');
  file.href = address.href;
  file.textContent = shown.dataset.file;
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
