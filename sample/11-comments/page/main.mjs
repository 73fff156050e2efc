/* global document, location, crypto, FormData, URLSearchParams */
import { persistently } from './persistently.mjs';
import { PostStore } from './post-store.mjs';
import { PostStream } from './post-stream.mjs';
import { PostView } from './post-view.mjs';

// `/?post=2&key=sesame`
const { post = '1', ...access } = Object.fromEntries(new URLSearchParams(location.search));
const address = (path, query = {}) =>
  `/posts/${encodeURIComponent(post)}${path}?${new URLSearchParams({ ...access, ...query })}`;

const store = new PostStore();
const view = new PostView();
const form = document.querySelector('#form');

const stream = new PostStream(store, address, (state, event) => {
  view.connection(state);
  if (state === 'closed') return form.remove();
  if (event?.rejected) takeBack(event.mutationId, event.data.reason);
  view.draw(store);
});

form.addEventListener('submit', (submit) => {
  submit.preventDefault();
  const { author, text } = Object.fromEntries(new FormData(form));
  form.elements.text.value = '';
  form.elements.text.focus();
  view.notice('');
  void comment({ id: crypto.randomUUID(), author, text });
});

/** Shown at once, and then sent until the server has answered. That it stands there is for the stream to say. */
async function comment({ id, author, text }) {
  store.propose({ id, author, text });
  view.draw(store);
  const response = await persistently(address('/comments'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mutationId: id, author, text }),
  });
  if (response.ok) return;
  takeBack(id, (await response.json()).message);
  view.draw(store);
}

/** Told by the answer and by the stream, whichever comes first. */
function takeBack(id, reason) {
  const comment = store.withdraw(id);
  if (comment) view.notice(`“${comment.text}” was taken back: ${reason}.`);
}

void stream.start();
