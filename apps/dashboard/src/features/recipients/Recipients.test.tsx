import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { AT, me, project } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { Recipients } from './Recipients.tsx'

// What opens over the page is loaded once; a busy machine takes its time.
beforeAll(async () => void (await import('./RecipientDialogs.tsx')))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

function recipient(id: number, name: string, more: object = {}) {
  return {
    ...{ id, name, email: 'ann@example.org', mobileNumber: null, residentialAddress: null, blockchainCode: 'BASE' },
    ...{
      address: ADDRESS,
      status: 'active',
      projectIDs: [7],
      createdAt: AT,
      updatedAt: AT,
      payableFrom: AT,
      earlierPayouts: 0,
      ...more,
    },
  }
}
const pageOf = (rows: readonly object[]) => ({
  ...{ recipients: rows, data: rows, total: rows.length, limit: 50, offset: 0, nextCursor: null },
})
const WAITING = recipient(2, 'Bob', { status: 'pending-otp-verification', payableFrom: null })

function show(answers: Answers = {}, role = 'root', address = '/withdraw/recipients?projectId=7') {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    'GET /external-platform/details': () => [],
    'GET /blockchain': () => [],
    'GET /project/7/recipients': () => pageOf([recipient(1, 'Ann'), WAITING]),
    ...answers,
  })
  renderScreen(<Recipients />, address)
  return calls
}

describe('Recipients', () => {
  it('lists recipients with their networks and pending confirmations', async () => {
    show()
    const table = within(await screen.findByRole('table', { name: 'Recipients' }))
    expect(await table.findByText('Ann')).toBeDefined()
    expect(table.getAllByText('Base').length).toBeGreaterThan(0)
    expect(table.getByText('Code needed')).toBeDefined()
  })

  it('says what the list is for, that nothing matches, and why nothing came', async () => {
    show({ 'GET /project/7/recipients': () => pageOf([]) })
    expect(await screen.findByText('Save who you pay, so an address is typed once.')).toBeDefined()
    cleanup()
    show({ 'GET /project/7/recipients': () => pageOf([]) }, 'root', '/withdraw/recipients?projectId=7&query=zed')
    expect(await screen.findByText('No recipient matches')).toBeDefined()
    cleanup()
    show({ 'GET /project/7/recipients': () => refusal(500, 'INTERNAL_ERROR', 'Something broke on our side.') })
    expect(await screen.findByText('Recipients couldn’t be loaded')).toBeDefined()
  })

  it('verifies with the mailed code, beside the whole address', async () => {
    const calls = show({
      'POST /otp/validate': () => ({ message: 'OTP verified.', recipient: recipient(2, 'Bob') }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Bob' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Enter the code' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Verify Bob' }))
    await userEvent.type(dialog.getByRole('textbox', { name: /Code/ }), '12')
    await userEvent.click(dialog.getByRole('button', { name: 'Verify' }))
    expect(dialog.getByText('The code has 6 digits')).toBeDefined()
    await userEvent.type(dialog.getByRole('textbox', { name: /Code/ }), '3456')
    await userEvent.click(dialog.getByRole('button', { name: 'Verify' }))
    expect(await screen.findByText('Bob can be paid')).toBeDefined()
    expect(calls.find(({ path }) => path === '/otp/validate')?.body).toEqual({
      entityID: 2,
      scope: 'recipient',
      otpCode: '123456',
    })
  })

  it('offers no forms to operators who only read', async () => {
    show({}, 'auditor')
    expect(await screen.findByText('Ann')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Add recipient' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Actions for Ann' })).toBeNull()
  })
})
