import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me, project } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../../testing/stub-server.ts'
import { Developers } from '../Developers.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const URL_OF_SHOP = 'https://shop.example/kassa/webhook'
const webhook = (more: object = {}) => ({
  id: 5,
  createdAt: AT,
  updatedAt: AT,
  external_platform_id: 7,
  externalPlatformID: 7,
  name: '',
  description: '',
  url: URL_OF_SHOP,
  status: 'active',
  tested: false,
  events: [],
  access_key: 'kw_••••12ab',
  secret: 'whsec_••••9d01',
  previousSecretExpiresAt: null,
  legacyHeaders: true,
  health: 'idle',
  lastDeliveryAt: null,
  lastResponseCode: null,
  ...more,
})
const delivery = {
  id: 'evt_1',
  deliveryID: 99,
  webhookID: 5,
  event: 'payment.filled',
  sequence: 2,
  referenceID: '0192c3f0-0000-7000-8000-000000000001',
  payoutID: null,
  status: 'pending',
  attempt_count: 1,
  next_retry_at: '2999-01-01T00:00:00.000Z',
  waits: { code: 'next_try', params: { number: 2, most: 10 }, text: 'The last try failed. Try 2 of 10 follows.' },
  last_response_code: 503,
  last_error: null,
  createdAt: AT,
  attempts: [{ at: AT, code: 503, ms: 84, error: null, responseExcerpt: 'try later' }],
}
const request = { url: URL_OF_SHOP, headers: { 'webhook-id': 'evt_1' }, body: '{"event_type":"payment.filled"}' }
const base = (webhooks: readonly object[], deliveries: readonly object[] = []): Answers => ({
  'GET /member/me': () => me(),
  'GET /external-platform/all': () => [project(7, 'Acme')],
  'GET /external-platform/details': () => [],
  'GET /external-platform/7/webhook': () => webhooks,
  'GET /external-platform/7/webhook-deliveries': () => ({
    data: deliveries,
    total: deliveries.length,
    limit: 50,
    offset: 0,
    nextCursor: null,
  }),
  'GET /external-platform/7/webhook/5/deliveries/99': () => ({ ...delivery, request }),
})
const writes = (calls: readonly SentCall[]) => calls.filter(({ method }) => method !== 'GET')

async function openForm(answers: Answers) {
  const calls = stubServer(answers)
  renderScreen(<Developers badgeOf={() => undefined} />, '/developers?tabId=webhooks&projectId=7')
  await userEvent.click(await screen.findByRole('button', { name: 'Add endpoint' }))
  return { calls, form: within(await screen.findByRole('dialog', { name: 'Add an endpoint' })) }
}

describe('Webhooks', () => {
  it('says what is missing while there is no endpoint, and how to add one', async () => {
    stubServer(base([]))
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?tabId=webhooks&projectId=7')
    expect(await screen.findByText('Without one your shop must ask for payment states.')).toBeDefined()
    expect(screen.getAllByRole('button', { name: 'Add endpoint' })).toHaveLength(1)
  })

  it('says why endpoints could not be loaded, and tries again', async () => {
    let isDown = true
    const answers = base([webhook()])
    const list = 'GET /external-platform/7/webhook'
    const down = () => refusal(503, 'SERVICE_UNAVAILABLE', 'Try again in a moment.')
    stubServer({ ...answers, [list]: () => (isDown ? down() : [webhook()]) })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?tabId=webhooks&projectId=7')
    expect(await screen.findByText('Endpoints couldn’t be loaded')).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('region', { name: URL_OF_SHOP })).toBeDefined()
  })

  it('adds an endpoint with the default events and shows its secrets once', async () => {
    const { calls, form } = await openForm({
      ...base([]),
      'POST /external-platform/7/webhook': () => webhook({ secret: 'whsec_c2VjcmV0', access_key: 'kw_access' }),
    })
    await userEvent.type(form.getByRole('textbox', { name: 'URL' }), `${URL_OF_SHOP}`)
    await userEvent.click(form.getByRole('button', { name: 'Add endpoint' }))
    const shown = within(await screen.findByRole('dialog', { name: 'Copy the secret now' }))
    expect(writes(calls)).toMatchObject([{ path: '/external-platform/7/webhook', body: { url: URL_OF_SHOP } }])
    expect(writes(calls)[0]?.body).not.toHaveProperty('events')
    expect(shown.getByLabelText('Signing secret').textContent).toBe('whsec_c2VjcmV0')
    expect(shown.getByLabelText('Access key').textContent).toBe('kw_access')
    expect(shown.getByRole('group', { name: 'receiver example' }).textContent).toContain(
      "new Webhook('whsec_c2VjcmV0')",
    )
    await userEvent.click(shown.getByRole('checkbox', { name: 'I have saved it' }))
    await userEvent.click(shown.getByRole('button', { name: 'Done' }))
    expect(document.body.innerHTML).not.toContain('whsec_c2VjcmV0')
  })

  it('completes a URL that is typed as people say it, when the field is left', async () => {
    const { calls, form } = await openForm({ ...base([]), 'POST /external-platform/7/webhook': () => webhook() })
    const url = form.getByRole<HTMLInputElement>('textbox', { name: 'URL' })
    await userEvent.type(url, 'shop.acme.com/hook')
    await userEvent.tab()
    expect(url.value).toBe('https://shop.acme.com/hook')
    expect(form.queryByText('URL must be an http or https address')).toBeNull()
    await userEvent.click(form.getByRole('button', { name: 'Add endpoint' }))
    await screen.findByRole('dialog', { name: 'Copy the secret now' })
    expect(writes(calls)).toMatchObject([{ body: { url: 'https://shop.acme.com/hook' } }])
  })

  it('is not lost with a stray Escape once something is filled in', async () => {
    const { form } = await openForm(base([]))
    await userEvent.type(form.getByRole('textbox', { name: 'URL' }), URL_OF_SHOP)
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'URL' }).value).toBe(URL_OF_SHOP)
  })

  it('names the events when they are not the default ones', async () => {
    const { calls, form } = await openForm({ ...base([]), 'POST /external-platform/7/webhook': () => webhook() })
    await userEvent.click(form.getByRole('checkbox', { name: /^payment\.created/ }))
    await userEvent.type(form.getByRole('textbox', { name: 'URL' }), `${URL_OF_SHOP}`)
    await userEvent.click(form.getByRole('button', { name: 'Add endpoint' }))
    await screen.findByRole('dialog', { name: 'Copy the secret now' })
    const all = ['payment.created', 'payment.filled', 'payment.cancelled'] as const
    expect(writes(calls)).toMatchObject([{ body: { events: expect.arrayContaining([...all]) } }])
  })

  it('puts what the server refuses at its field', async () => {
    const refused = { fields: { url: 'A private address is not allowed.' } }
    const { form } = await openForm({
      ...base([]),
      'POST /external-platform/7/webhook': () => refusal(400, 'WEBHOOK_URL_NOT_ALLOWED', 'Not allowed.', refused),
    })
    await userEvent.type(form.getByRole('textbox', { name: 'URL' }), 'not-a-url')
    await userEvent.click(form.getByRole('button', { name: 'Add endpoint' }))
    expect(form.getByText('URL must be an http or https address')).toBeDefined()
    await userEvent.clear(form.getByRole('textbox', { name: 'URL' }))
    await userEvent.type(form.getByRole('textbox', { name: 'URL' }), 'http://10.0.0.1/')
    await userEvent.click(form.getByRole('button', { name: 'Add endpoint' }))
    expect(await form.findByText('A private address is not allowed.')).toBeDefined()
  })

  it('tests an endpoint and shows what came back', async () => {
    stubServer({
      ...base([webhook()]),
      'POST /external-platform/7/webhook/5/test': () => ({
        success: false,
        statusCode: 404,
        ms: 31,
        responseExcerpt: 'nothing here',
        message: 'The receiver answered 404. It must answer 200 to 299.',
      }),
    })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?tabId=webhooks&projectId=7')
    const card = within(await screen.findByRole('region', { name: URL_OF_SHOP }))
    expect(card.getByText('Untested')).toBeDefined()
    await userEvent.click(await card.findByRole('button', { name: 'Test' }))
    expect(await card.findByText(/The receiver answered 404/)).toBeDefined()
    expect(card.getByText('Test failed')).toBeDefined()
    expect(card.getByText(/31 ms · the endpoint stays as it is/)).toBeDefined()
    expect(card.getByRole('group', { name: 'answer' }).textContent).toBe('nothing here')
  })

  it('opens a delivery from the list: payload, headers, tries, and why it waits', async () => {
    stubServer(base([webhook()], [delivery]))
    const history = renderScreen(<Developers badgeOf={() => undefined} />, '/developers?tabId=webhooks&projectId=7')
    const link = await screen.findByRole('link', { name: 'payment.filled' })
    expect(link.closest('tr')?.textContent).toMatch(/Waiting.*Try 2 of 10 in .*20 Nov 2026, \d\d:\d\d:\d\d/)
    await userEvent.click(link)
    expect(history.location.search).toContain('delivery=5-99')
    const drawer = within(await screen.findByRole('dialog', { name: 'payment.filled' }))
    expect(await drawer.findByText(/^Try 2 of 10 in [\d,]+ months, at .*2999, \d\d:\d\d:\d\d\.$/)).toBeDefined()
    expect(drawer.getByRole('group', { name: 'payload' }).textContent).toBe('{\n  "event_type": "payment.filled"\n}')
    await userEvent.click(drawer.getByRole('tab', { name: 'Tries' }))
    expect(await drawer.findByText('Try 1: 503 · 84 ms')).toBeDefined()
    await userEvent.click(drawer.getByRole('tab', { name: 'Headers' }))
    expect(await drawer.findByText('webhook-id')).toBeDefined()
    await userEvent.click(drawer.getByRole('button', { name: 'Close' }))
    expect(history.location.search).not.toContain('delivery')
  })
})
