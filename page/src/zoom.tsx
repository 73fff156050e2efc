import { useRef, useState } from 'preact/hooks';
import { chosen, moved, type Stretch, type Window, zoomed } from './scale.js';
import { span } from './times.js';

interface ZoomProps {
  window: Window;
  set: (window: Window) => void;
  gaps: readonly Stretch[];
}

/** What part of the time is shown: by buttons, or by dragging over the strip. */
export function Zoom({ window, set, gaps }: ZoomProps) {
  const isWhole = window.left === 0 && window.right === 1;
  return (
    <div class="zoom">
      <div class="actions" role="group" aria-label="Zoom">
        <button type="button" onClick={() => set(zoomed(window, 2))}>
          Nearer
        </button>
        <button type="button" disabled={isWhole} onClick={() => set(zoomed(window, 0.5))}>
          Farther
        </button>
        <button type="button" disabled={window.left === 0} onClick={() => set(moved(window, -0.5))}>
          Earlier
        </button>
        <button type="button" disabled={window.right === 1} onClick={() => set(moved(window, 0.5))}>
          Later
        </button>
        <button type="button" disabled={isWhole} onClick={() => set({ left: 0, right: 1 })}>
          All
        </button>
        {gaps.length > 0 && (
          <span class="dim">
            Drawn short: {gaps.map(({ from, to }) => span(to - from)).join(', ')} in which nothing ran.
          </span>
        )}
      </div>
      <Strip window={window} set={set} />
    </div>
  );
}

/** A strip as wide as the bars; the buttons do the same for those who do not drag. */
function Strip({ window, set }: Omit<ZoomProps, 'gaps'>) {
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ a: number; b: number }>();
  const partOf = (event: PointerEvent) => {
    const { left, width } = box.current!.getBoundingClientRect();
    return (event.clientX - left) / width;
  };
  const begin = (event: PointerEvent) => {
    box.current!.setPointerCapture(event.pointerId);
    setDrag({ a: partOf(event), b: partOf(event) });
  };
  const end = () => {
    if (drag) set(chosen(window, drag.a, drag.b));
    setDrag(undefined);
  };
  return (
    <div class="row strip" aria-hidden="true">
      <div
        class="track"
        ref={box}
        title="Drag to look nearer"
        onPointerDown={begin}
        onPointerMove={(event) => drag && setDrag({ ...drag, b: partOf(event) })}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
      >
        <span
          class="window"
          style={{ left: `${window.left * 100}%`, width: `${(window.right - window.left) * 100}%` }}
        />
        {drag && (
          <span
            class="drag"
            style={{ left: `${Math.min(drag.a, drag.b) * 100}%`, width: `${Math.abs(drag.b - drag.a) * 100}%` }}
          />
        )}
      </div>
    </div>
  );
}
