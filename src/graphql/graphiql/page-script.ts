/**
 * What the page does before GraphiQL starts: it holds the key. GraphiQL knows nothing of it; each of its requests to this
 * service takes the key along as a header. The key is in session storage, so it goes with the tab, and never in the address.
 */
export const pageScript = `
const slot = 'estate-api-key';
const form = document.getElementById('key-bar');
const field = document.getElementById('api-key');
const message = document.getElementById('key-message');
const say = (text, isWrong) => { message.textContent = text; message.classList.toggle('wrong', isWrong); };
const key = sessionStorage.getItem(slot) ?? '';
field.value = key;
say(key ? 'Key in use until this tab is closed.' : 'Enter an API key to see the schema and to run queries.', !key);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(slot, field.value.trim());
  location.reload();
});

// GraphiQL writes the document into the address, from which a reload would ask for an answer instead of this page.
history.replaceState = () => {};
// The tab to open; without it GraphiQL adds an empty one.
const lastQuery = localStorage.getItem('graphiql:query');

const reasons = { 401: 'This API key is not valid.', 403: 'This API key does not include GraphQL.' };
const refusal = (text) => new Response(JSON.stringify({ errors: [{ message: text }] }), { headers: { 'Content-Type': 'application/json' } });
const fetchAny = window.fetch.bind(window);
window.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (new URL(request.url).origin !== location.origin) return fetchAny(request);
  if (!key) return refusal('Enter an API key above.');
  request.headers.set('X-API-Key', key);
  const response = await fetchAny(request);
  if (!(response.headers.get('Content-Type') ?? '').startsWith('application/problem+json')) return response;
  // An answer that is not read to its end keeps its connection.
  const { detail } = await response.json();
  const text = reasons[response.status] ?? detail;
  say(text, true);
  return refusal(text);
};
`;
