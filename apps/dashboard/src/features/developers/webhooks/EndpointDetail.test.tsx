import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../../testing/stub-server.ts'
import { delivery, deliveryPage, SHOP_URL, webhook } from '../../../testing/webhook-answers.ts'
import { Developers } from '../Developers.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const ONE = '/external-platform/7/webhook/5'
const base: Answers = {
  'GET /member/me': () => me(),
  'GET /external-platform/all': () => [project(7, 'Acme')],
  'GET /external-platform/details': () => [],
  'GET /external-platform/7/webhook': () => [webhook()],
  'GET /external-platform/7/webhook-deliveries': () => deliveryPage(),
  [`GET ${ONE}/deliveries`]: () => deliveryPage(delivery()),
}

function show(answers: Answers = {}, view = 'deliveries') {
  const calls = stubServer({ ...base, ...answers })
  const history = renderScreen(
    <Developers badgeOf={() => undefined} />,
    `/developers?tabId=webhooks&projectId=7&open=5&view=${view}`,
  )
  return { calls, history }
}

const writes = (calls: readonly SentCall[]) => calls.filter(({ method }) => method !== 'GET')
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('EndpointDetail', () => {
  it('is reached from the list and leads back to it', async () => {
    const { history } = show()
    await screen.findByRole('row', { name: /payment\.filled/ })
    await userEvent.click(screen.getByRole('link', { name: 'All endpoints' }))
    expect(history.location.search).not.toContain('open')
    await userEvent.click(await screen.findByRole('link', { name: SHOP_URL }))
    expect(history.location.search).toContain('open=5')
  })

  it('says that an endpoint has failed for days, and that one returned 410 Gone', async () => {
    show({ 'GET /external-platform/7/webhook': () => [webhook({ health: 'failing', lastResponseCode: 503 })] })
    expect(await screen.findByText(/The last answer was 503\./)).toBeDefined()
    cleanup()
    const gone = webhook({ status: 'inactive', lastResponseCode: 410 })
    show({ 'GET /external-platform/7/webhook': () => [gone] })
    expect(await screen.findByText(/The endpoint returned 410 Gone and was disabled/)).toBeDefined()
    const resend = await screen.findByRole('button', { name: 'Resend payment.filled' })
    expect(resend.getAttribute('aria-disabled')).toBe('true')
  })

  it('offers nothing to those who may only read', async () => {
    show({ 'GET /member/me': () => me('auditor') }, 'settings')
    expect(await screen.findByText('Changing an endpoint needs webhook:write.')).toBeDefined()
    for (const name of ['Test', 'Save endpoint', 'Delete endpoint', /^Rotate/]) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
    await userEvent.click(screen.getByRole('tab', { name: 'Deliveries' }))
    await screen.findByRole('row', { name: /payment\.filled/ })
    expect(screen.queryByRole('button', { name: /Resend/ })).toBeNull()
  })
})

describe('The list of deliveries', () => {
  it('is narrowed by day, and says so where nothing is left', async () => {
    const { history } = show({ [`GET ${ONE}/deliveries`]: () => deliveryPage() })
    vi.spyOn(globalThis, 'fetch')
    expect(await screen.findByText('Nothing was sent yet')).toBeDefined()
    await press('Add filter')
    await press('Created')
    await userEvent.selectOptions(screen.getByLabelText('Created'), 'Between two days')
    await userEvent.type(screen.getByLabelText('First day'), '2026-11-12')
    await userEvent.type(screen.getByLabelText('Last day'), '2026-11-12')
    await press('Apply')
    expect(history.location.search).toContain('created=2026-11-12')
    expect(await screen.findByText('No delivery matches')).toBeDefined()
    const asked = vi.mocked(fetch).mock.calls.map(([url]) => (typeof url === 'string' ? url : ''))
    expect(asked.some((url) => url.includes('dateFrom=2026-11-12T00%3A00%3A00&dateTo=2026-11-12T23%3A59%3A59'))).toBe(
      true,
    )
    await press('Remove Created: 12 Nov 2026')
    expect(history.location.search).not.toContain('created')
  })
})

describe('Exporting deliveries', () => {
  it('saves all pages of what the filter lets through', async () => {
    let blob = new Blob([])
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      blob = file as Blob
      return 'blob:export'
    })
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const waiting = delivery({ deliveryID: 98, id: 'evt_2', status: 'pending', next_retry_at: '2099-01-01T00:00:00Z' })
    const urls: string[] = []
    show({
      [`GET ${ONE}/deliveries`]: () => {
        const [url] = vi.mocked(fetch).mock.lastCall ?? []
        urls.push(typeof url === 'string' ? url : '')
        const isSecond = urls.at(-1)?.includes('cursor=') === true
        return isSecond
          ? deliveryPage(waiting)
          : { ...deliveryPage(delivery({ last_error: '=cmd' })), nextCursor: 'two' }
      },
    })
    vi.spyOn(globalThis, 'fetch')
    await press('Export CSV')
    expect(await screen.findByText('Deliveries saved as CSV')).toBeDefined()
    const [head, first, second, end] = (await blob.text()).split('\r\n')
    expect(head).toMatch(/^event_id,event,endpoint,payment,payout,sequence,status,created_at,attempts,/)
    expect(first).toMatch(/^evt_1,payment\.filled,https:[^,]+,0192[^,]+,,2,failed,2[^,]+Z,10,2[^,]+Z,,503,'=cmd$/)
    expect(second).toMatch(/^evt_2,.*,pending,2[^,]+Z,10,2[^,]+Z,2099-01-01T00:00:00Z,503,$/)
    expect(end).toBe('')
    expect(urls.slice(-2).map((url) => /limit=(\d+)(&cursor=two)?/.exec(url)?.slice(1))).toEqual([
      ['200', undefined],
      ['200', '&cursor=two'],
    ])
    clicked.mockRestore()
  })
})

describe('Resending', () => {
  it('sends a delivery that waits for its next attempt now, from the list', async () => {
    const waiting = delivery({ status: 'pending', attempt_count: 2, next_retry_at: '2099-01-01T00:00:00Z' })
    const { calls } = show({
      [`GET ${ONE}/deliveries`]: () => deliveryPage(waiting, delivery({ deliveryID: 98, status: 'received' })),
      [`POST ${ONE}/deliveries/99/resend`]: () => waiting,
    })
    const table = await screen.findByRole('table', { name: 'Deliveries' })
    expect(await within(table).findAllByRole('button')).toHaveLength(1)
    await press('Send now payment.filled')
    expect(await screen.findByText('payment.filled is sent again')).toBeDefined()
    expect(writes(calls)).toMatchObject([{ path: `${ONE}/deliveries/99/resend` }])
  })

  it('sends one delivery again', async () => {
    const { calls } = show({ [`POST ${ONE}/deliveries/99/resend`]: () => delivery({ status: 'pending' }) })
    await press('Resend payment.filled')
    expect(await screen.findByText('payment.filled is sent again')).toBeDefined()
    expect(writes(calls).map(({ path }) => path)).toEqual([`${ONE}/deliveries/99/resend`])
  })

  it('says beside the delivery why it was not sent', async () => {
    show({
      [`POST ${ONE}/deliveries/99/resend`]: () => refusal(409, 'WEBHOOK_INACTIVE', 'Activate the endpoint first.'),
    })
    await press('Resend payment.filled')
    expect(await screen.findByText('Activate the endpoint first.')).toBeDefined()
  })

  it('sends what failed in some days again and says how many', async () => {
    const { calls } = show({ [`POST ${ONE}/replay`]: () => Response.json({ queued: 14 }, { status: 202 }) })
    await press('Resend failed…')
    const form = await dialog('Send failed deliveries again')
    await userEvent.clear(form.getByLabelText('From'))
    await userEvent.type(form.getByLabelText('From'), '2026-11-01')
    await userEvent.clear(form.getByLabelText('To'))
    await userEvent.type(form.getByLabelText('To'), '2026-12-15')
    await userEvent.click(form.getByRole('button', { name: 'Send again' }))
    expect(form.getByText('Choose at most 31 days')).toBeDefined()
    await userEvent.clear(form.getByLabelText('To'))
    await userEvent.type(form.getByLabelText('To'), '2026-11-03')
    await userEvent.click(form.getByRole('button', { name: 'Send again' }))
    expect(await form.findByText('14 deliveries are sent again, in their order.')).toBeDefined()
    expect(writes(calls)[0]?.body).toEqual({
      from: '2026-11-01T00:00:00Z',
      to: '2026-11-03T23:59:59Z',
      onlyFailed: true,
    })
  })
})

describe('EndpointSettings', () => {
  it('changes only what was changed', async () => {
    const { calls } = show({ [`PUT ${ONE}`]: () => webhook() }, 'settings')
    await userEvent.type(await screen.findByRole('textbox', { name: 'Description (optional)' }), 'Till')
    await userEvent.click(screen.getByRole('checkbox', { name: /^payment\.created/ }))
    await userEvent.click(screen.getByRole('checkbox', { name: /^payment\.created/ }))
    await press('Save endpoint')
    expect(await screen.findByText('Endpoint saved')).toBeDefined()
    expect(writes(calls)).toMatchObject([{ path: ONE, body: { description: 'Till' } }])
    expect(Object.keys(writes(calls)[0]?.body as object)).toEqual(['description'])
  })

  it('is not left with something changed without a question, unless it was changed back or saved', async () => {
    const { history } = show({ [`PUT ${ONE}`]: () => webhook() }, 'settings')
    const question = () => screen.queryByRole('dialog', { name: 'Leave without saving?' })
    const field = await screen.findByRole('textbox', { name: 'Description (optional)' })
    await userEvent.type(field, 'T')
    await userEvent.click(screen.getByRole('tab', { name: 'Deliveries' }))
    await waitFor(() => expect(question()).not.toBeNull())
    await press('Stay here')
    expect(history.location.search).toContain('view=settings')
    await userEvent.type(field, '{Backspace}')
    await userEvent.click(screen.getByRole('tab', { name: 'Deliveries' }))
    expect(question()).toBeNull()
    await waitFor(() => expect(history.location.search).toContain('view=deliveries'))
  })

  it('takes in what somebody else saved meanwhile, keeps what was typed, and says so', async () => {
    let stored = {}
    const { calls } = show(
      {
        'GET /external-platform/7/webhook': () => [webhook(stored)],
        [`PUT ${ONE}`]: ({ body }) => webhook((stored = { ...stored, ...(body as object) })),
      },
      'settings',
    )
    const valueOf = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value
    await userEvent.type(await screen.findByRole('textbox', { name: 'Description (optional)' }), 'Till')
    stored = { name: 'Shop' }
    await press('Turn off')
    await userEvent.click((await dialog('Turn off shop.example?')).getByRole('button', { name: 'Turn off' }))
    await waitFor(() => expect(valueOf('Name (optional)')).toBe('Shop'))
    expect(valueOf('Description (optional)')).toBe('Till')
    expect(screen.getByText(/^Somebody else changed this endpoint meanwhile\./)).toBeDefined()
    await press('Save endpoint')
    expect(await screen.findByText('Endpoint saved')).toBeDefined()
    expect(writes(calls).at(-1)?.body).toEqual({ description: 'Till' })
    expect(screen.queryByText(/^Somebody else changed/)).toBeNull()
  })

  it('goes back to the default events with an empty list', async () => {
    const { calls } = show(
      {
        'GET /external-platform/7/webhook': () => [webhook({ events: ['payment.filled'] })],
        [`PUT ${ONE}`]: () => webhook(),
      },
      'settings',
    )
    await screen.findByRole('button', { name: 'Save endpoint' })
    for (const box of screen.getAllByRole('checkbox', { name: /^pay(ment|out)\./ })) {
      const isDefault = !/payment\.(created|pinned)/.test(box.closest('label')?.textContent ?? '')
      if ((box as HTMLInputElement).checked !== isDefault) await userEvent.click(box)
    }
    await press('Save endpoint')
    await screen.findByText('Endpoint saved')
    expect(writes(calls)[0]?.body).toEqual({ events: [] })
  })

  it('puts what the server refuses at its field', async () => {
    const refused = { fields: { url: 'This URL is already registered.' } }
    show(
      { [`PUT ${ONE}`]: () => refusal(409, 'WEBHOOK_EXISTS', 'This URL is already registered.', refused) },
      'settings',
    )
    const url = await screen.findByRole('textbox', { name: 'URL' })
    await userEvent.type(url, '2')
    await press('Save endpoint')
    await screen.findByText('This URL is already registered.')
    expect(url.getAttribute('aria-invalid')).toBe('true')
  })

  it('makes a new secret, shows it once, and lets the old one sign for a while', async () => {
    const { calls } = show(
      { [`POST ${ONE}/rotate-secret`]: () => webhook({ secret: 'whsec_bmV3c2VjcmV0' }) },
      'settings',
    )
    await press('Rotate signing secret')
    const asked = await dialog('Rotate the signing secret?')
    await userEvent.selectOptions(asked.getByRole('combobox', { name: /old secret/ }), '72')
    await userEvent.click(asked.getByRole('button', { name: 'Make a new secret' }))
    const shown = await dialog('Copy the new secret now')
    expect(shown.getByLabelText('Signing secret').textContent).toBe('whsec_bmV3c2VjcmV0')
    expect(writes(calls)[0]?.body).toEqual({ what: 'secret', overlapHours: 72 })
    await userEvent.click(shown.getByRole('checkbox', { name: 'I have saved it' }))
    await userEvent.click(shown.getByRole('button', { name: 'Done' }))
    expect(document.body.innerHTML).not.toContain('whsec_bmV3c2VjcmV0')
  })

  it('makes a new access key, which replaces the old one at once', async () => {
    const { calls } = show({ [`POST ${ONE}/rotate-secret`]: () => webhook({ access_key: 'kw_new' }) }, 'settings')
    await press('Rotate access key')
    await userEvent.click((await dialog('Rotate the access key?')).getByRole('button', { name: /Make a new/ }))
    expect((await dialog('Copy the new access key now')).getByLabelText('Access key').textContent).toBe('kw_new')
    expect(writes(calls)[0]?.body).toEqual({ what: 'access_key' })
  })

  it('turns an endpoint off after it said what that means', async () => {
    const { calls } = show({ [`PUT ${ONE}`]: () => webhook({ status: 'inactive' }) }, 'settings')
    await press('Turn off')
    const asked = await dialog('Turn off shop.example?')
    expect(asked.getByText('What waits to be sent to it is discarded.')).toBeDefined()
    await userEvent.click(asked.getByRole('button', { name: 'Turn off' }))
    expect(await screen.findByText('The endpoint is off')).toBeDefined()
    expect(writes(calls)[0]?.body).toEqual({ status: 'inactive' })
  })

  it('turns an endpoint on again, or says why not', async () => {
    let isRefused = true
    const { calls } = show(
      {
        'GET /external-platform/7/webhook': () => [webhook({ status: 'inactive' })],
        [`PUT ${ONE}`]: () =>
          isRefused ? refusal(422, 'WEBHOOK_URL_NOT_ALLOWED', 'This address is private.') : webhook(),
      },
      'settings',
    )
    await press('Turn on')
    expect(await screen.findByText('This address is private.')).toBeDefined()
    isRefused = false
    await press('Turn on')
    expect(await screen.findByText('The endpoint is on')).toBeDefined()
    expect(writes(calls).map(({ body }) => body)).toEqual([{ status: 'active' }, { status: 'active' }])
  })

  it('deletes an endpoint only after its host was typed', async () => {
    const { calls, history } = show({ [`DELETE ${ONE}`]: () => ({ message: 'Webhook deleted.' }) }, 'settings')
    await press('Delete endpoint')
    const asked = await dialog('Delete shop.example?')
    await userEvent.click(asked.getByRole('button', { name: 'Delete endpoint' }))
    expect(asked.getByText('Type shop.example to confirm', { selector: 'p' })).toBeDefined()
    expect(writes(calls)).toEqual([])
    await userEvent.type(asked.getByRole('textbox', { name: 'Type shop.example to confirm' }), 'shop.example')
    await userEvent.click(asked.getByRole('button', { name: 'Delete endpoint' }))
    expect(await screen.findByText('Endpoint deleted')).toBeDefined()
    expect(writes(calls)).toMatchObject([{ method: 'DELETE', path: ONE }])
    expect(history.location.search).not.toContain('open')
  })
})
