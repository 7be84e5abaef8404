import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me, sandboxConfiguration } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { WalletConnect } from './WalletConnect.tsx'

const KEY = '/configuration/key/wallet_connect_id'
const DEFAULTS = 'GET /configuration/default'
const ID = '8f2c1d3e4b5a69788796a5b4c3d2e1f0'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const row = (value: string) => ({
  id: 4,
  createdAt: null,
  updatedAt: null,
  key: 'wallet_connect_id',
  value,
  overrideValue: null,
  description: '',
  encrypt: false,
})

/** A server that stores what it receives. */
function show({ id = '', role = 'root', answers = {} }: { id?: string; role?: string; answers?: Answers } = {}) {
  let stored = id
  const calls = stubServer({
    'GET /member/me': () => me(role),
    [DEFAULTS]: () => ({ ...sandboxConfiguration, walletConnectID: stored }),
    [`PUT ${KEY}`]: ({ body }) => {
      stored = (body as { value: string }).value
      return row(stored)
    },
    [`DELETE ${KEY}`]: () => {
      stored = ''
      return { message: 'This setting has no value now.' }
    },
    ...answers,
  })
  renderScreen(<WalletConnect />, '/settings/wallet-connect')
  return () => calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }))
}
const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Wallet connect project id' })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('WalletConnect', () => {
  it('says what the id is for and where one gets it, and saves a first one', async () => {
    const sent = show()
    expect(await screen.findByRole('heading', { level: 1, name: 'Wallet connect' })).toBeDefined()
    expect(screen.getByText(/Everything else works without it/)).toBeDefined()
    expect(screen.getByRole('link', { name: /^Create a project at Reown/ }).getAttribute('href')).toBe(
      'https://dashboard.reown.com',
    )
    await userEvent.type(await field(), ` ${ID} `)
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
    await press('Save')
    expect(await screen.findByText('Project id saved')).toBeDefined()
    expect(sent()).toEqual([{ method: 'PUT', path: KEY, body: { value: ID } }])
    expect(await screen.findByRole('button', { name: 'Remove' })).toBeDefined()
  })

  it('removes it after a word about what that means', async () => {
    const sent = show({ id: ID })
    expect((await field()).value).toBe(ID)
    await press('Remove')
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove the project id?' }))
    expect(dialog.getByText(/can no longer connect to wallets on a phone/)).toBeDefined()
    expect(sent()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Project id removed')).toBeDefined()
    expect(sent()).toEqual([{ method: 'DELETE', path: KEY, body: undefined }])
    expect((await field()).value).toBe('')
  })

  it('names what it cannot take, and sends nothing', async () => {
    const sent = show()
    await field()
    await press('Save')
    expect(await screen.findByText('Project id is required')).toBeDefined()
    await userEvent.type(await field(), 'x'.repeat(65))
    await press('Save')
    expect(await screen.findByText('Project id must be at most 64 characters')).toBeDefined()
    expect(sent()).toEqual([])
  })

  it('puts what the server refuses at the field', async () => {
    const reason = 'The value must not contain null characters'
    show({
      answers: {
        [`PUT ${KEY}`]: () => refusal(400, 'CONFIGURATION_VALUE_INVALID', reason, { fields: { value: reason } }),
      },
    })
    await userEvent.type(await field(), ID)
    await press('Save')
    expect(await screen.findByText(reason)).toBeDefined()
  })

  it('is only read by those who may not change it', async () => {
    show({ id: ID, role: 'auditor' })
    expect(await screen.findByText(ID)).toBeDefined()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('fails with its reason and tries again', async () => {
    let isDown = true
    show({
      answers: {
        [DEFAULTS]: () =>
          isDown ? refusal(503, 'SERVICE_UNAVAILABLE', 'Try again in a moment.') : sandboxConfiguration,
      },
    })
    expect(await screen.findByText('The project id couldn’t be loaded')).toBeDefined()
    isDown = false
    await press('Try again')
    expect(await field()).toBeDefined()
  })
})
