import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../../testing/stub-server.ts'
import { AddressesCard } from './AddressesCard.tsx'

const ORIGINS = '/configuration/key/security.allowed_origins'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const address = { siteUrl: 'https://pay.acme.example', backendUrl: 'https://pay.acme.example', source: 'configured' }
const origins = (value: string) => ({
  id: 3,
  createdAt: null,
  updatedAt: null,
  key: 'security.allowed_origins',
  value,
  overrideValue: value,
  description: '',
  encrypt: false,
})

function show(answers: Answers = {}, role = 'root') {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /system/site-url': () => address,
    [`GET ${ORIGINS}`]: () => origins('https://desk.acme.example'),
    ...answers,
  })
  renderScreen(<AddressesCard />, '/settings/system')
  return () => calls.filter(({ method }) => method !== 'GET').map(({ path, body }) => ({ path, body }))
}

async function open(button: string, title: string) {
  await userEvent.click(await screen.findByRole('button', { name: button }))
  return within(await screen.findByRole('dialog', { name: title }))
}

async function retype(field: HTMLElement, text: string) {
  await userEvent.clear(field)
  await userEvent.type(field, text)
}

describe('the addresses of this server', () => {
  it('are shown, and changed after a word about what that means', async () => {
    const sent = show({ 'PUT /system/site-url': () => address })
    expect((await screen.findAllByText('https://pay.acme.example')).length).toBeGreaterThan(0)
    const dialog = await open('Change URL', 'Change URL')
    expect(dialog.getByText(/Make sure that the new URL leads here/)).toBeDefined()
    await retype(dialog.getByRole('textbox', { name: 'Public URL' }), 'https://shop.example')
    await userEvent.click(dialog.getByRole('button', { name: 'Save URL' }))
    expect(await screen.findByText('URL saved')).toBeDefined()
    expect(sent()).toEqual([{ path: '/system/site-url', body: { siteUrl: 'https://shop.example', backendUrl: '' } }])
  })

  it('put what the server refuses at its field', async () => {
    const reason = 'The value must be an http or https origin without a path, such as https://pay.example.com'
    show({
      'PUT /system/site-url': () =>
        refusal(400, 'CONFIGURATION_VALUE_INVALID', reason, { fields: { siteUrl: reason } }),
    })
    const dialog = await open('Change URL', 'Change URL')
    await retype(dialog.getByRole('textbox', { name: 'Public URL' }), 'https://shop.example/path')
    await userEvent.click(dialog.getByRole('button', { name: 'Save URL' }))
    expect(await dialog.findByText(reason)).toBeDefined()
  })
})

describe('the allowed origins', () => {
  it('are listed and replaced, one a line', async () => {
    const sent = show({ [`PUT ${ORIGINS}`]: () => origins('') })
    expect(await screen.findByText('https://desk.acme.example')).toBeDefined()
    const dialog = await open('Change origins', 'Change allowed origins')
    await retype(dialog.getByRole('textbox', { name: 'Origins' }), 'https://a.example\nhttps://b.example:8443')
    await userEvent.click(dialog.getByRole('button', { name: 'Save origins' }))
    expect(await screen.findByText('Allowed origins saved')).toBeDefined()
    expect(sent()).toEqual([{ path: ORIGINS, body: { value: 'https://a.example,https://b.example:8443' } }])
  })

  it('are not replaced unseen when another operator changed them', async () => {
    let stored = 'https://desk.acme.example'
    const sent = show({ [`GET ${ORIGINS}`]: () => origins(stored), [`PUT ${ORIGINS}`]: () => origins('') })
    const dialog = await open('Change origins', 'Change allowed origins')
    await retype(dialog.getByRole('textbox', { name: 'Origins' }), 'https://desk.acme.example/, https://a.example')
    stored = ''
    await userEvent.click(dialog.getByRole('button', { name: 'Save origins' }))
    expect(await dialog.findByText(/Another operator emptied the list meanwhile/)).toBeDefined()
    expect(sent()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Save origins' }))
    expect(await screen.findByText('Allowed origins saved')).toBeDefined()
    expect(sent()).toEqual([{ path: ORIGINS, body: { value: 'https://desk.acme.example,https://a.example' } }])
  })

  it('are checked before they are sent', async () => {
    const sent = show()
    const dialog = await open('Change origins', 'Change allowed origins')
    await retype(dialog.getByRole('textbox', { name: 'Origins' }), 'https://a.example/shop')
    await userEvent.click(dialog.getByRole('button', { name: 'Save origins' }))
    expect(dialog.getByText('https://a.example/shop is not an origin such as https://shop.example.com')).toBeDefined()
    expect(sent()).toEqual([])
  })

  it('are read without a press by those who may only read', async () => {
    show({}, 'auditor')
    expect(await screen.findByText('https://desk.acme.example')).toBeDefined()
    expect(screen.queryByRole('button')).toBeNull()
  })
})
