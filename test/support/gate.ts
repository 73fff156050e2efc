/** Something that a test opens, and a step waits for. */
export interface Gate {
  open(): void;
  readonly opened: Promise<void>;
}

export function gate(): Gate {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
