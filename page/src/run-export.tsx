import { useState } from 'preact/hooks';
import { ApiError, ask, may, payloads } from './api.js';
import { type Query, queryText } from './router.js';

/** The run as a file: its payloads are as they are, and the act log says who took it. */
export function RunExport({ at }: { at: string }) {
  const [problem, setProblem] = useState<string>();
  if (!may('export') || payloads === 'never') return null;
  const save = (as: 'json' | 'test') => {
    setProblem(undefined);
    saved(at, as).catch((error: Error) => setProblem(error.message));
  };
  return (
    <>
      <button type="button" onClick={() => save('json')}>
        Save as JSON
      </button>
      <button type="button" onClick={() => save('test')}>
        Save as a test
      </button>
      {problem && (
        <p role="alert" class="alert">
          It was not saved: {problem}
        </p>
      )}
    </>
  );
}

/** The most runs of a filter in one file. */
const MOST = 1_000;
const PAGE = 200;

interface Saving {
  /** What goes on. */
  doing?: string;
  /** What the file has not. */
  left?: string;
  problem?: string;
}

/** The chosen runs, or all that match the filter, in one file: a list of what each would be saved as. */
export function RunsExport({ filter, ids }: { filter: Query; ids: readonly string[] }) {
  const [{ doing, left, problem }, tell] = useState<Saving>({});
  const isEverything = ids.length === 0 && queryText(filter) === '';
  if (!may('export') || payloads === 'never' || isEverything) return null;
  const save = async () => {
    const found = ids.length > 0 ? { ids, more: false } : await matching(filter);
    const texts: string[] = [];
    let gone = 0;
    for (const id of found.ids) {
      tell({ doing: `Reading ${texts.length + gone + 1} of ${found.ids.length} …` });
      await exported(`runs/${encodeURIComponent(id)}`, 'json').then(
        ({ text }) => texts.push(text),
        (error: Error) => {
          // Of those that match, one may have been deleted meanwhile.
          if (ids.length > 0 || !(error instanceof ApiError) || error.status !== 404)
            throw new Error(`${id}: ${error.message}`);
          gone++;
        },
      );
    }
    download('runs.json', `[\n${texts.join(',\n')}\n]\n`);
    const more = found.more ? ` The newest ${MOST} that match: there are more.` : '';
    tell({ left: `Saved ${texts.length}.${more}${gone > 0 ? ` ${gone} were deleted meanwhile.` : ''}` });
  };
  const start = () => {
    tell({ doing: 'Looking …' });
    save().catch((error: Error) => tell({ problem: error.message }));
  };
  return (
    <p class="actions">
      <button type="button" disabled={doing !== undefined} onClick={start}>
        Save {ids.length > 0 ? ids.length : 'all'} as JSON
      </button>
      <span role="status">{doing ?? left}</span>
      {problem && (
        <span role="alert" class="alert">
          Nothing was saved: {problem}
        </span>
      )}
    </p>
  );
}

/** The ids of the newest runs that match, page by page. */
async function matching(filter: Query): Promise<{ ids: string[]; more: boolean }> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const limit = String(Math.min(PAGE, MOST - ids.length));
    const page = await ask<{ runs: { id: string }[]; cursor?: string }>(
      `runs?${queryText({ ...filter, limit, cursor })}`,
    );
    ids.push(...page.runs.map(({ id }) => id));
    ({ cursor } = page);
  } while (cursor !== undefined && ids.length < MOST);
  return { ids, more: cursor !== undefined };
}

async function saved(at: string, as: 'json' | 'test'): Promise<void> {
  const { name, text } = await exported(at, as);
  download(name, text);
}

const exported = (at: string, as: 'json' | 'test') => ask<{ name: string; text: string }>(`${at}/export?as=${as}`);

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
