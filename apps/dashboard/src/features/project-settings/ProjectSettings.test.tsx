import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { AT, me, project, sandboxConfiguration } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../testing/stub-server.ts'
import { ProjectSettings } from './ProjectSettings.tsx'

// What is loaded when it is first asked for is there at once.
beforeAll(() => Promise.all([import('./branding/BrandingForm.tsx'), import('./details/NotificationsForm.tsx')]))
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const saved = { website: 'https://acme.example', telegramURL: 'https://t.example/acme' }
const asset = (id: number, blockchainID: number, network: string, currencyCode: string) => ({
  id,
  blockchainCode: network.toUpperCase(),
  network,
  currencyCode,
  currency: currencyCode,
  tokenAddress: '',
  standard: 'native',
  walletPrecision: 6,
  family: 'ETH_Family',
  blockchainID,
  currencyID: id,
})
const base = (role?: string): Answers => ({
  'GET /member/me': () => me(role),
  'GET /external-platform/7': () => project(7, 'Acme', saved),
  'GET /currencies': () => [
    asset(11, 1, 'Ethereum', 'USDC'),
    asset(12, 4, 'Base', 'USDC'),
    asset(13, 4, 'Base', 'ETH'),
  ],
})
const writes = (calls: readonly SentCall[]) => calls.filter(({ method }) => method !== 'GET')
const save = async () => userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })

function open(answers: Answers, tab = 'projectDetails') {
  const calls = stubServer(answers)
  const history = renderScreen(<ProjectSettings projectId="7" />, `/settings/account/7?tab=${tab}`)
  return { calls, history }
}

describe('ProjectSettings', () => {
  it('sends only what was changed, and empty text for what was cleared', async () => {
    const { calls } = open({
      ...base(),
      'PUT /external-platform/7': ({ body }) => project(7, 'Acme', { ...saved, ...(body as object) }),
    })
    await userEvent.clear(await field('Website'))
    await userEvent.type(await field('Discord'), 'https://discord.example/acme')
    expect(screen.getByText('2 changes')).toBeDefined()
    await save()
    expect(await screen.findByText('Changes saved')).toBeDefined()
    expect(writes(calls)).toEqual([
      {
        method: 'PUT',
        path: '/external-platform/7',
        body: { website: '', discordURL: 'https://discord.example/acme' },
        since: AT,
      },
    ])
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
  })

  it('completes an address that is typed as people say it, when the field is left or sent with Enter', async () => {
    const { calls } = open({
      ...base(),
      'PUT /external-platform/7': ({ body }) => project(7, 'Acme', { ...saved, ...(body as object) }),
    })
    await userEvent.type(await field('Success URL'), 'acme.com/thanks')
    await userEvent.type(await field('Webhook URL'), 'acme.com/hook')
    await userEvent.tab()
    expect((await field('Success URL')).value).toBe('https://acme.com/thanks')
    expect(screen.queryByText('Success URL must be an http or https address')).toBeNull()
    expect((await field('Webhook URL')).value).toBe('https://acme.com/hook')
    await userEvent.type(await field('Discord'), 'discord.gg/acme{Enter}')
    expect(await screen.findByText('Changes saved')).toBeDefined()
    expect(writes(calls)[0]?.body).toEqual({
      successEndpoint: 'https://acme.com/thanks',
      webhookEndpoint: 'https://acme.com/hook',
      discordURL: 'https://discord.gg/acme',
    })
  })

  it('names the project in its heading and says what it may not save', async () => {
    const { calls } = open(base())
    expect(await screen.findByRole('heading', { name: 'Acme', level: 1 })).toBeDefined()
    await userEvent.clear(await field('Name'))
    await userEvent.type(await field('Success URL'), 'nowhere')
    await save()
    expect(screen.getByText('Project Name is required')).toBeDefined()
    expect(screen.getByText('Success URL must be an http or https address')).toBeDefined()
    expect(writes(calls)).toEqual([])
    await userEvent.type(await field('Name'), 'A')
    expect(screen.queryByText('Project Name is required')).toBeNull()
  })

  it('goes back to what was saved', async () => {
    open(base())
    await userEvent.clear(await field('Website'))
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect((await field('Website')).value).toBe('https://acme.example')
    expect(screen.queryByText('1 change')).toBeNull()
    expect(document.activeElement?.tagName).toBe('FORM')
  })

  it('says Error saving project. and why when the answer is lost, and keeps what was typed', async () => {
    open({ ...base(), 'PUT /external-platform/7': () => Promise.reject(new TypeError('Failed to fetch')) })
    await userEvent.type(await field('Telegram'), 'x')
    await save()
    const said = await screen.findByText('Error saving project.')
    expect(said.nextElementSibling?.textContent).toBe(
      'The server could not be reached. Check your connection and try again.',
    )
    expect((await field('Telegram')).value).toBe('https://t.example/acmex')
  })

  it('puts a refused webhook URL at its field', async () => {
    const refused = { details: 'A private address is not allowed.' }
    open({
      ...base(),
      'PUT /external-platform/7': () => refusal(400, 'WEBHOOK_URL_NOT_ALLOWED', 'Not allowed.', refused),
    })
    await userEvent.type(await field('Webhook URL'), 'http://10.0.0.1/')
    await save()
    expect(await screen.findByText('A private address is not allowed.')).toBeDefined()
  })

  describe('the preview of the payment page', () => {
    const preview = async (more: object) => {
      open({ ...base(), 'GET /external-platform/7': () => project(7, 'Northwind Coffee', more) }, 'branding')
      return within(await screen.findByRole('figure', { name: 'Payment page: Paid', hidden: true }))
    }
    const standIn = { logoPath: 'https://pay.example/uploads/placeholder-77.png' }

    it('shows initials where the page does, and does not offer to remove a logo where there is none', async () => {
      const page = await preview(standIn)
      expect(page.getByText('NC')).toBeDefined()
      expect(screen.getByLabelText('No logo')).toBeDefined()
      expect(screen.queryByRole('button', { name: 'Remove logo' })).toBeNull()
    })

    it('shows the logo that was chosen', async () => {
      const page = await preview({ logoPath: 'https://pay.example/uploads/77.png' })
      expect(page.queryByText('NC')).toBeNull()
      expect(screen.getByRole('button', { name: 'Remove logo' })).toBeDefined()
    })

    it.each([
      ['where neither is said', {}, 0],
      ['to the success URL', { successEndpoint: 'https://shop.example/thanks' }, 1],
      ['to the website', { website: 'https://shop.example' }, 1],
    ])('has the way back the page has: %s', async (_where, more, ways) => {
      const page = await preview({ website: '', successEndpoint: '', ...more })
      expect(page.queryAllByText('Back to Northwind Coffee')).toHaveLength(ways)
    })
  })

  it('sends a logo as a file, with the other changes', async () => {
    const { calls } = open({ ...base(), 'PUT /external-platform/7': () => project(7, 'Acme', saved) }, 'branding')
    const logo = new File(['png'], 'logo.png', { type: 'image/png' })
    await userEvent.upload(await screen.findByLabelText('Logo'), logo)
    await userEvent.clear(await field('Brand colour'))
    await userEvent.type(await field('Brand colour'), '#112233')
    await save()
    await screen.findByText('Changes saved')
    const [{ body }] = writes(calls) as [SentCall]
    expect(Object.keys(body as object)).toEqual(['brandColor', 'logo'])
    expect((body as { logo: unknown }).logo).toBeInstanceOf(File)
  })

  it('sets language, colours and way back of the payment page', async () => {
    const { calls } = open({ ...base(), 'PUT /external-platform/7': () => project(7, 'Acme', saved) }, 'branding')
    const language = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Language of the payment page' })
    expect([...language.options].slice(0, 3).map(({ text }) => text)).toEqual([
      'Language of their browser',
      'Arabic',
      'Chinese',
    ])
    await userEvent.selectOptions(language, 'German')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Colours of the payment page' }), 'Dark')
    await userEvent.type(await field('Text of the back button'), 'To your cart')
    const paid = within(await screen.findByRole('figure', { name: 'Payment page: Paid', hidden: true }))
    expect(paid.getByText('To your cart')).toBeDefined()
    await save()
    await screen.findByText('Changes saved')
    const [{ body }] = writes(calls) as [SentCall]
    expect(body).toEqual({ checkoutLanguage: 'de', checkoutTheme: 'dark', backText: 'To your cart' })
  })

  it('shows the payment page in three states as the form has it', async () => {
    open(base(), 'branding')
    const page = async (state: string) => within(await screen.findByRole('figure', { name: `Payment page: ${state}` }))
    expect((await page('Choosing')).getByText('Choose how to pay')).toBeDefined()
    expect((await page('Paid')).getByText('Acme has your payment of 49 USDC.')).toBeDefined()
    await userEvent.clear(await field('Brand colour'))
    await userEvent.type(await field('Brand colour'), '#112233')
    const button = (await page('Paid')).getByText('Back to Acme')
    expect([button.style.backgroundColor, button.style.color]).toEqual(['#112233', '#ffffff'])
    expect((await page('Paying')).getByText('49 USDC')).toBeDefined()
  })

  it('cuts a square out of a picture of another shape', async () => {
    vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(600)
    vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(300)
    vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue()
    const drawn: unknown[] = []
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
      drawImage: (_image: unknown, ...numbers: number[]) => drawn.push(numbers),
    } as never)
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['square'])))
    const { calls } = open({ ...base(), 'PUT /external-platform/7': () => project(7, 'Acme', saved) }, 'branding')
    await userEvent.upload(await screen.findByLabelText('Logo'), new File(['wide'], 'wide.jpg', { type: 'image/jpeg' }))
    fireEvent.load(await screen.findByAltText('New logo'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cut a square' }))
    fireEvent.change(dialog.getByRole('slider', { name: 'Left to right' }), { target: { value: '100' } })
    await userEvent.click(dialog.getByRole('button', { name: 'Use square' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(drawn).toEqual([[300, 0, 300, 300, 0, 0, 300, 300]])
    await save()
    await screen.findByText('Changes saved')
    const [{ body }] = writes(calls) as [SentCall]
    expect((body as { logo: File }).logo.name).toBe('logo.png')
  })

  it('keeps who mails come from, and says when none can be sent', async () => {
    const { calls } = open(
      {
        ...base(),
        'GET /configuration/default': () => sandboxConfiguration,
        'PUT /external-platform/7': ({ body }) => project(7, 'Acme', { ...saved, ...(body as object) }),
      },
      'notifications',
    )
    expect(await screen.findByText(/no mail server is set/)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Set up the mail server' }).getAttribute('href')).toBe('/settings/email')
    await userEvent.type(await field('Sender'), 'nobody')
    await save()
    expect(screen.getByText('Enter a valid e-mail address')).toBeDefined()
    await userEvent.clear(await field('Sender'))
    await userEvent.type(await field('Sender'), 'Acme <pay@acme.example>')
    await userEvent.type(await field('Reply-to'), 'help@acme.example')
    await save()
    await screen.findByText('Changes saved')
    expect(writes(calls)[0]?.body).toEqual({
      emailSendRequestFrom: 'Acme <pay@acme.example>',
      emailSendRequestReplyTo: 'help@acme.example',
    })
  })

  it('opens the first tab for a name it does not know', async () => {
    open(base(), 'paymentPolicy')
    expect((await screen.findByRole('tab', { name: 'Project details' })).getAttribute('aria-selected')).toBe('true')
    expect((await field('Name')).getAttribute('aria-required')).toBe('true')
  })

  it('offers the currencies of the chosen network', async () => {
    const { calls } = open({ ...base(), 'PUT /external-platform/7': () => project(7, 'Acme', saved) })
    await screen.findByRole('option', { name: 'Base' })
    await userEvent.selectOptions(screen.getByLabelText('Default network'), 'Base')
    const currency = screen.getByLabelText('Default currency')
    expect(
      within(currency)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['None', 'USDC', 'ETH'])
    await userEvent.selectOptions(currency, 'ETH')
    await save()
    await screen.findByText('Changes saved')
    expect(writes(calls)[0]?.body).toEqual({
      defaultPaymentBlockchainID: 4,
      defaultPaymentBlockchainCurrencyID: 13,
    })
  })

  it('asks before unsaved changes are left behind', async () => {
    const { history } = open(base())
    await userEvent.clear(await field('Website'))
    history.push('/settings')
    const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Stay here' }))
    expect(history.location.pathname).toBe('/settings/account/7')
    expect((await field('Website')).value).toBe('')
  })

  it('shows the details without a form to those who may only read', async () => {
    open(base('auditor'))
    expect(await screen.findByText('https://acme.example')).toBeDefined()
    expect(screen.queryByRole('textbox')).toBeNull()
  })
})
