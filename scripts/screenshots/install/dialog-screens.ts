/** "Add new project" and "Change Password", in every state. */
import type { Page } from 'playwright-core'

import { fillPasswords, openAddProject, openChangePassword, submitPasswords } from '../../../e2e/spec/dialogs.ts'
import { API, HELD, refusal, REFUSED } from '../answers.ts'
import type { Screen } from '../camera.ts'
import { fill, isPhone, press } from '../hand.ts'
import type { Seed } from '../seed.ts'

export function dialogScreens({ shop: { project } }: Seed): readonly Screen[] {
  const path = `/project/${project}/dashboard`
  return [...addProjectScreens(path), ...changePasswordScreens(path)].map((screen) => ({ ...screen, set: 'A' }))
}

function addProjectScreens(path: string): readonly Screen[] {
  const over = { path, isOverlay: true }
  const create = `POST ${API}/external-platform`
  const submit = async (page: Page, name: string) => {
    await openAdd(page)
    await fill(page, 'Name of your project', name)
    await page.keyboard.press('Enter')
  }
  return [
    { ...over, name: 'add-project-empty', shows: 'Name of your project', act: openAdd },
    { ...over, name: 'add-project-nameless', shows: 'Project Name is required', act: (page) => submit(page, '  ') },
    {
      ...over,
      name: 'add-project-waiting',
      shows: 'Name of your project',
      alters: { [create]: HELD },
      act: (page) => submit(page, 'Third Wave'),
    },
    {
      ...over,
      name: 'add-project-refused',
      shows: 'The database does not answer.',
      alters: { [create]: REFUSED },
      act: (page) => submit(page, 'Third Wave'),
    },
  ]
}

// The server counts failures: a real one per picture would soon be refused for another reason.
const WRONG = refusal(400, 'CURRENT_PASSWORD_WRONG', 'Current password is incorrect.', {
  fields: { oldPassword: 'Current password is incorrect.' },
})

function changePasswordScreens(path: string): readonly Screen[] {
  const over = { path, isOverlay: true }
  const change = `POST ${API}/member/change-password`
  const send =
    (...values: readonly [string, string, string]) =>
    async (page: Page) => {
      const dialog = await openChangePassword(page)
      await fillPasswords(dialog, ...values)
      await submitPasswords(dialog)
    }
  const good = send('Correct.Horse9', 'Other.Horse9', 'Other.Horse9')
  return [
    {
      ...over,
      name: 'change-password',
      shows: 'Current password',
      act: async (page) => void (await openChangePassword(page)),
    },
    {
      ...over,
      name: 'change-password-typed',
      shows: /2 of 4/,
      act: async (page) => fillPasswords(await openChangePassword(page), 'Correct.Horse9', 'Other', ''),
    },
    { ...over, name: 'change-password-nothing', shows: 'Please confirm your password', act: send('', '', '') },
    {
      ...over,
      name: 'change-password-weak',
      shows: 'Password does not meet all requirements',
      act: send('Correct.Horse9', 'correcthorse', 'correct'),
    },
    { ...over, name: 'change-password-short', shows: /at least 8/, act: send('Correct.Horse9', 'Co.9', 'Co.9') },
    {
      ...over,
      name: 'change-password-wrong',
      shows: 'Current password is incorrect.',
      alters: { [change]: WRONG },
      act: good,
    },
    { ...over, name: 'change-password-waiting', shows: 'Current password', alters: { [change]: HELD }, act: good },
    {
      ...over,
      name: 'change-password-refused',
      shows: 'The database does not answer.',
      alters: { [change]: REFUSED },
      act: good,
    },
  ]
}

/** On a phone the projects stand in the menu's panel. */
async function openAdd(page: Page): Promise<void> {
  if (!(await isPhone(page))) return void (await openAddProject(page))
  await press(page, 'Expand menu')
  await page
    .getByRole('button', { name: /^Project:/ })
    .last()
    .click()
  await page.getByRole('button', { name: 'Add Project' }).last().click()
}
