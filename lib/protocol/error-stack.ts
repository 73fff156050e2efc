import { boundedText } from './log-line.js';

/** The limits of a stored stack: of the error itself, and of a cause. */
const MOST_LINES = { own: 30, cause: 10 } as const;
const LONGEST = { own: 8_192, cause: 2_048 } as const;

/** The limit for a stack, in bytes; `depth` 0 is the error itself. */
export const longestStack = (depth: number): number => (depth === 0 ? LONGEST.own : LONGEST.cause);

/** The folder of this package's code, as it appears in stacks: `lib`, or `dist` of the package. */
const OURS = folderOfThis();

/**
 * The frames of a stack, in their order, but those of the app before those of packages, of Node and of this library.
 * Without the message, which may be long and is stored on its own. Node maps the frames to sources if it runs with
 * `--enable-source-maps`.
 */
export function appFramesFirst(stack: string, depth = 0): string {
  const frames = stack.split('\n').flatMap((line) => (/^\s+at /.test(line) ? [line.trim()] : []));
  const ofApp = frames.filter(isOfApp);
  const others = frames.filter((frame) => !isOfApp(frame));
  const most = depth === 0 ? MOST_LINES.own : MOST_LINES.cause;
  return boundedText([...ofApp, ...others].slice(0, most).join('\n'), longestStack(depth));
}

const isOfApp = (frame: string): boolean =>
  /[\\/]/.test(frame) && !/[\\/]node_modules[\\/]|\bnode:/.test(frame) && !(OURS !== undefined && frame.includes(OURS));

/** From this function's own frame, because the module format decides how else a module learns where it is. */
function folderOfThis(): string | undefined {
  const [, own = ''] = (new Error('where').stack ?? '').split('\n');
  const [, file] = /\(?((?:file:\/\/|[A-Za-z]:)?[\\/][^()]*):\d+:\d+\)?$/.exec(own) ?? [];
  const folder = file && /^(.*[\\/])[^\\/]+[\\/][^\\/]+$/.exec(file)?.[1];
  return folder ? folder.replace(/^file:\/\//, '') : undefined;
}
