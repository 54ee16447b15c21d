// Renders one of the documents that the page links to: `?document=openai` names the second one. The page loads nothing from other origins, and does not store a pasted key.

const tabs = [...document.querySelectorAll('nav a')];
const shown = tabs.find((tab) => tab.search === location.search) ?? tabs[0];
const address = new URL(shown.dataset.file, document.baseURI);
const file = document.getElementById('file');
const reference = document.getElementById('reference');
const dark = matchMedia('(prefers-color-scheme: dark)');

/** A proxy may serve the page below a path prefix; the API then has the same prefix. */
function beside({ url, ...server }) {
  return { ...server, url: new URL(`.${url}`, document.baseURI).href };
}

const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);

/** The console names its origin in the request for this page; a page of this site is no way back. */
function showWayBack() {
  const from = document.referrer;
  if (from === '' || new URL(from).origin === location.origin) return;
  const back = document.getElementById('back');
  back.href = from;
  back.hidden = false;
}

/** An operation as code in three languages, with the example of its body. */
function samplesOf(method, url, example) {
  const body = example === undefined ? null : JSON.stringify(example, null, 2);
  const indented = body?.replaceAll('\n', '\n  ');
  return {
    curl: [
      `curl${method === 'GET' ? '' : ` -X ${method}`} ${url}`,
      `  -H "Authorization: Bearer $KINORA_API_KEY"`,
      ...(body ? [`  -H 'Content-Type: application/json'`, `  -d '${body.replaceAll("'", "'\\''")}'`] : []),
    ].join(' \\\n'),
    TypeScript: [
      `const url = '${url}';`,
      'const response = await fetch(url, {',
      `  method: '${method}',`,
      '  headers: {',
      '    Authorization: `Bearer ${process.env.KINORA_API_KEY}`,',
      ...(body
        ? [`    'Content-Type': 'application/json',`, '  },', `  body: JSON.stringify(${indented}),`]
        : ['  },']),
      '});',
      'console.log(await response.json());',
    ].join('\n'),
    Python: [
      '# pip install httpx',
      'import os',
      'import httpx',
      '',
      `response = httpx.request("${method}", "${url}",`,
      '    headers={"Authorization": f"Bearer {os.environ[\'KINORA_API_KEY\']}"},',
      ...(body ? [`    json=${pythonOf(example)},`] : []),
      ')',
      'print(response.json())',
    ].join('\n'),
  };
}

/** JSON as a literal of Python. */
function pythonOf(value) {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (value === null || typeof value === 'boolean') return { null: 'None', true: 'True', false: 'False' }[value];
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${pythonOf(one)}`)
    .join(', ')}}`;
}

/** Puts the samples above the parameters of each operation. */
const withSamples = ({ React }) => ({
  wrapComponents: {
    parameters: (Parameters) => (props) => {
      const { pathMethod, operation, specSelectors } = props;
      const [path, method] = pathMethod;
      const [server] = specSelectors.specJson().toJS().servers;
      const example = operation.getIn(['requestBody', 'content', 'application/json', 'example']);
      const samples = samplesOf(method.toUpperCase(), server.url + path, example?.toJS());
      const { createElement } = React;
      const details = Object.entries(samples).map(([language, code]) =>
        createElement(
          'details',
          { key: language, className: 'sample', name: `${method} ${path}` },
          createElement('summary', null, language),
          createElement('pre', { tabIndex: 0 }, code),
        ),
      );
      return createElement(
        'div',
        null,
        createElement('div', { className: 'samples' }, details),
        createElement(Parameters, props),
      );
    },
  },
});

/** Every code of the API, each at an address of its own. */
function showErrors({ 'x-errors': codes = {} }) {
  const list = document.querySelector('#errors dl');
  for (const [code, { seen_as: seenAs, cause, remedy, repeat }] of Object.entries(codes)) {
    const term = document.createElement('dt');
    // Swagger UI reads an underscore of the fragment as a space.
    term.id = `error-${code.replaceAll('_', '-')}`;
    term.textContent = `${code} (${seenAs.join(', ')})`;
    const facts = [cause, `Do: ${remedy}`, `Repeat? ${repeat}`].map((text) => {
      const fact = document.createElement('dd');
      fact.textContent = text;
      return fact;
    });
    list.append(term, ...facts);
  }
  document.getElementById('errors').hidden = Object.keys(codes).length === 0;
  showNamedError();
  addEventListener('hashchange', showNamedError);
}

function showNamedError() {
  if (!location.hash.startsWith('#error-')) return;
  document.getElementById('errors').open = true;
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

async function show() {
  shown.setAttribute('aria-current', 'page');
  file.href = address.href;
  file.textContent = shown.dataset.file;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} answered ${response.status}.`);
  const spec = await response.json();
  showErrors(spec);
  SwaggerUIBundle({
    spec: { ...spec, servers: spec.servers.map(beside) },
    domNode: reference,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    defaultModelRendering: 'model',
    displayRequestDuration: true,
    docExpansion: 'list',
    persistAuthorization: false,
    plugins: [withSamples],
    showCommonExtensions: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
}

followScheme();
dark.addEventListener('change', followScheme);
showWayBack();
show().catch((error) => {
  reference.textContent = `The reference cannot be shown: ${error.message}`;
});
