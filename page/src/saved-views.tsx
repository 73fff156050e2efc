import { useState } from 'preact/hooks';
import { address, href } from './router.js';

/** Names and queries, kept by this browser for this dashboard. */
type Views = Readonly<Record<string, string>>;

const KEY = `durable:runs:${new URL(document.baseURI).pathname}`;

function kept(): Views {
  try {
    const views: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof views === 'object' && views !== null ? (views as Views) : {};
  } catch {
    // Nothing is kept where the browser forbids it.
    return {};
  }
}

/** Filters of runs that somebody has given a name. */
export function SavedViews() {
  const [views, setViews] = useState(kept);
  const keep = (next: Views) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // They stay until the page is left.
    }
    setViews(next);
  };
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = new FormData(form).get('view');
    const name = typeof given === 'string' ? given.trim() : '';
    if (name === '') return;
    const asked = new URLSearchParams(address.value.search);
    asked.delete('cursor');
    keep({ ...views, [name]: asked.toString() });
    form.reset();
  };
  const forget = (name: string) => keep(Object.fromEntries(Object.entries(views).filter(([one]) => one !== name)));
  return (
    <div class="views">
      {Object.entries(views).map(([name, text]) => (
        <span key={name}>
          <a href={href('runs', Object.fromEntries(new URLSearchParams(text)))}>{name}</a>
          <button type="button" aria-label={`Forget the view ${name}`} onClick={() => forget(name)}>
            ×
          </button>
        </span>
      ))}
      <form onSubmit={save}>
        <input name="view" aria-label="Name of this view" placeholder="name of this view" autocomplete="off" />
        <button type="submit">Keep view</button>
      </form>
    </div>
  );
}
