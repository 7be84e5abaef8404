import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { AT, me, paymentPolicy, project } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { ProjectSettings } from '../ProjectSettings.tsx'

const LATER = '2026-11-20T05:20:00.000Z'
const SAVE = 'Save changes'

beforeAll(() => import('../policy/PaymentPolicyTab.tsx'))
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const conflict = () => refusal(409, 'EDIT_CONFLICT', 'Someone else changed this. Reload and try again.')
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const retype = async (name: string, text: string) => {
  await userEvent.clear(await field(name))
  await userEvent.type(await field(name), text)
}

/** A project that another operator changes after it was read. */
function open(theirs: object) {
  let stored = project(7, 'Acme', { website: 'https://acme.example' }) as Record<string, unknown>
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /external-platform/7': () => stored,
    'PUT /external-platform/7': ({ body, since }) => {
      if (since !== stored.updatedAt) return conflict()
      stored = { ...stored, ...(body as object), updatedAt: '2026-11-20T05:30:00.000Z' }
      return stored
    },
  })
  renderScreen(<ProjectSettings projectId="7" />, '/settings/account/7?tab=projectDetails')
  const meanwhile = () => {
    stored = { ...stored, ...theirs, updatedAt: LATER }
  }
  return { meanwhile, stored: () => stored, sent: () => calls.filter(({ method }) => method === 'PUT') }
}

describe('a project that another operator changed meanwhile', () => {
  it('says so, keeps the typed values, shows both, and overwrites on request', async () => {
    const { meanwhile, stored, sent } = open({ name: 'Acme GmbH' })
    await retype('Name', 'Acme Coffee')
    meanwhile()
    await press(SAVE)
    expect(await screen.findByText('Someone else changed this.')).toBeDefined()
    expect((await field('Name')).value).toBe('Acme Coffee')
    expect(stored().name).toBe('Acme GmbH')

    await press('Show')
    const dialog = within(await screen.findByRole('dialog', { name: 'Someone else changed this' }))
    expect(dialog.getByText('Acme GmbH')).toBeDefined()
    expect(dialog.getByText('Acme Coffee')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Back to the form' }))

    await press('Overwrite')
    expect(await screen.findByText('Changes saved')).toBeDefined()
    expect(stored().name).toBe('Acme Coffee')
    expect(sent().map(({ since }) => since)).toEqual([AT, LATER])
  })

  it('gives way when the changes are discarded', async () => {
    const { meanwhile, stored } = open({ name: 'Acme GmbH' })
    await retype('Name', 'Acme Coffee')
    meanwhile()
    await press(SAVE)
    await screen.findByText('Someone else changed this.')
    await press('Discard')
    expect((await field('Name')).value).toBe('Acme GmbH')
    expect(screen.queryByText('Someone else changed this.')).toBeNull()
    expect(stored().name).toBe('Acme GmbH')
  })

  it('keeps what others changed elsewhere and saves without asking', async () => {
    const { meanwhile, stored } = open({ website: 'https://acme.coffee' })
    await retype('Name', 'Acme Coffee')
    meanwhile()
    await press(SAVE)
    expect(await screen.findByText('Changes saved')).toBeDefined()
    expect(stored()).toMatchObject({ name: 'Acme Coffee', website: 'https://acme.coffee' })
    expect((await field('Website')).value).toBe('https://acme.coffee')
  })
})

describe('a payment policy that another operator changed meanwhile', () => {
  it('is not overwritten unseen', async () => {
    const policy = { ...paymentPolicy, updatedAt: AT }
    let stored = policy
    const calls = stubServer({
      'GET /member/me': () => me(),
      'GET /external-platform/7': () => project(7, 'Acme'),
      'GET /external-platform/7/payment-policy': () => stored,
      'PUT /external-platform/7/payment-policy': ({ body, since }) => {
        if (since !== stored.updatedAt) return conflict()
        stored = { ...stored, ...(body as object) }
        return stored
      },
    })
    renderScreen(<ProjectSettings projectId="7" />, '/settings/account/7?tab=checkout')
    await retype('Underpayment tolerance', '2')
    stored = { ...stored, underpaidTolerancePercent: '3', updatedAt: LATER }
    await press(SAVE)
    expect(await screen.findByText('Someone else changed this.')).toBeDefined()
    expect((await field('Underpayment tolerance')).value).toBe('2')
    await press('Overwrite')
    expect(await screen.findByText('Payment policy saved')).toBeDefined()
    expect(stored.underpaidTolerancePercent).toBe('2')
    expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(2)
  })
})
