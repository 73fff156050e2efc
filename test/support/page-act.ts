import type { Page } from 'playwright-core';

/** What a user does in a view of the dashboard to change something. */
export interface PageAct {
  /** The button. */
  press: string | RegExp;
  /** Fields beside the reason. */
  fill?: Readonly<Record<string, string>>;
  /** Lists in which something is chosen. */
  choose?: Readonly<Record<string, string>>;
  /** What is said when it is done. */
  says: string | RegExp;
  /** Looks at the dialog before it is filled. */
  look?: () => Promise<void>;
}

/** Presses the first such button that can be pressed, fills the dialog, and waits for what came of it. */
export async function pressAct(page: Page, act: PageAct, reason: string): Promise<void> {
  const { press, fill = {}, choose = {}, says, look } = act;
  const exact = typeof press === 'string' ? { exact: true } : {};
  const button = page
    .locator('main')
    .getByRole('button', { name: press, ...exact })
    .filter({ visible: true });
  await page.locator('button:enabled').and(button).first().click();
  const dialog = page.locator('dialog[open]');
  await look?.();
  for (const [label, value] of Object.entries(choose)) await dialog.getByLabel(label).selectOption(value);
  for (const [label, value] of Object.entries(fill)) await dialog.getByLabel(label).fill(value);
  await dialog.getByLabel('Why, for the act log').fill(reason);
  await dialog.locator('button.go').click();
  await page.getByRole('status', { name: 'What came of it' }).getByText(says).waitFor();
}
