/** One line that changes in place; where the output is no terminal, only what is worth a line of its own. */
export class LiveLine {
  private shown = false;

  constructor(private readonly out: NodeJS.WriteStream) {}

  update(text: string): void {
    if (!this.out.isTTY) return;
    this.out.write(`\r\x1b[K${text.slice(0, (this.out.columns || 80) - 1)}`);
    this.shown = true;
  }

  note(text: string): void {
    this.clear();
    this.out.write(`${text}\n`);
  }

  clear(): void {
    if (this.shown) this.out.write('\r\x1b[K');
    this.shown = false;
  }
}
