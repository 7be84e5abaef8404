import type { Locator, Page } from 'playwright-core'

/** Opens "Add new project" from the project selector. */
export async function openAddProject(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Project:/ }).click()
  await page.getByRole('button', { name: 'Add Project' }).click()
  return page.getByRole('dialog', { name: 'Add new project' })
}

/** Opens "Change Password" from the Profile menu. */
export async function openChangePassword(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Profile:/ }).click()
  await page.getByRole('menuitem', { name: 'Change Password' }).click()
  return page.getByRole('dialog', { name: 'Change Password' })
}

/** What a person fills in to change a password, by the labels on the screen. */
export const PASSWORD_LABELS = ['Current password', 'New password', 'Confirm password'] as const

/** Fills the three passwords of the dialog. */
export async function fillPasswords(dialog: Locator, ...values: readonly [string, string, string]): Promise<void> {
  for (const [at, label] of PASSWORD_LABELS.entries()) await dialog.getByLabel(label).fill(values[at] ?? '')
}

/** Presses the button that sends the dialog's passwords. */
export function submitPasswords(dialog: Locator): Promise<void> {
  return dialog.getByRole('button', { name: 'Change password' }).click()
}

/** The error of a field, or null when it has none. */
export async function errorOf(field: Locator): Promise<string | null> {
  if ((await field.getAttribute('aria-invalid')) !== 'true') return null
  const note = await field.getAttribute('aria-describedby')
  return field.page().locator(`[id="${note}"]`).innerText()
}
