import type { Page } from 'playwright-core';

export interface ShownComment {
  id: string;
  state: 'confirmed' | 'pending';
  author: string;
  text: string;
}

/** The page of the sample `comments`, as its user sees and uses it. */
export class CommentsPage {
  constructor(
    readonly page: Page,
    private readonly author: string,
  ) {}

  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.page.getByLabel('Your name').fill(this.author);
  }

  async post(text: string): Promise<void> {
    const field = this.page.getByLabel('Comment', { exact: true });
    await field.fill(text);
    await field.press('Enter');
  }

  comments(): Promise<ShownComment[]> {
    return this.page.evaluate<ShownComment[]>(`
      [...document.querySelectorAll('#comments > li')].map((item) => ({
        id: item.dataset.id,
        state: item.dataset.state,
        author: item.querySelector('strong').textContent,
        text: item.lastElementChild.textContent,
      }))`);
  }

  connection = (): Promise<string> => this.page.getByRole('status').innerText();
  notice = (): Promise<string> => this.page.getByRole('alert').innerText();
  count = (): Promise<string> => this.page.locator('#count').innerText();
}
