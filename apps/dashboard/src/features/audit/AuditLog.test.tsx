import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest'

import { AT, me, project } from '../../testing/answers.ts'
import { memberPage, roles } from '../../testing/member-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { AuditLog } from './AuditLog.tsx'

// What opens over the page is loaded once; a busy machine takes its time.
beforeAll(async () => void (await import('./AuditDrawer.tsx')))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
})

const HASH = 'a'.repeat(64)

function entry(id: number, more: object = {}) {
  return {
    id,
    createdAt: AT,
    updatedAt: AT,
    member_id: 2,
    sessionID: 7,
    apiKeyID: null,
    projectIDs: [7],
    method: 'PUT',
    apiPart: '/external-platform/7',
    apiStatus: 'SUCCESS',
    statusCode: 200,
    errorCode: null,
    count: 1,
    description: 'Change a project.',
    ipAddress: '203.0.113.9',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    referer: '',
    apiAction: 'WRITE',
    metadata: '{"before":{"name":"Acme","website":""},"after":{"name":"Acme Ltd","website":"https://acme.example"}}',
    role: 'project_lead',
    eventCategory: 'projects',
    eventName: 'changeProject',
    Member: { id: 2, name: 'Olga', email: 'olga@shop.example' },
    apiKey: null,
    device: null,
    externalPlatforms: [{ id: 7, name: 'Acme', logoPath: '' }],
    requestID: 'abc',
    hash: HASH,
    prevHash: '0'.repeat(64),
    ...more,
  }
}
const DENIED = entry(2, {
  method: 'GET',
  apiPart: '/blockchain/ETH/nodes',
  apiStatus: 'DENIED',
  statusCode: 403,
  errorCode: 'FORBIDDEN',
  count: 12,
  apiAction: 'READ',
  eventName: 'listNodes',
  member_id: null,
  Member: null,
  apiKeyID: 3,
  apiKey: { id: 3, name: 'Shop' },
  metadata: '',
})
const pageOf = (data: object[], more: object = {}) => ({
  data,
  total_count: data.length,
  totalIsEstimate: false,
  nextCursor: null,
  prevCursor: null,
  ...more,
})

let fetched: MockInstance<typeof fetch>

function show(answers: Answers = {}, address = '/settings/audit-log', who: object = me()) {
  stubServer({
    'GET /member/me': () => who,
    'GET /external-platform/all': () => [project(7, 'Acme')],
    'GET /external-platform/details': () => [],
    'GET /external-platform/all/api-key': () => [],
    'GET /roles': () => ({ roles }),
    'POST /internalMembers': () => memberPage([]),
    'GET /activity-log': () => pageOf([entry(1), DENIED]),
    'GET /activity-log/1': () => entry(1),
    ...answers,
  })
  fetched = vi.spyOn(globalThis, 'fetch')
  return renderScreen(<AuditLog />, address)
}
const asked = () =>
  fetched.mock.calls
    .map(([url]) => new URL(typeof url === 'string' ? url : '', 'http://kassa.test'))
    .filter(({ pathname }) => pathname.endsWith('/activity-log'))
    .map(({ searchParams }) => Object.fromEntries(searchParams))

describe('the audit log', () => {
  it('says who did what, from where, and what became of it', async () => {
    show()
    const table = await screen.findByRole('table', { name: 'Audit log' })
    const changed = await within(table).findByRole('row', { name: /Change a project/ })
    expect(changed.textContent).toContain('olga@shop.example')
    expect(changed.textContent).toContain('Firefox on Linux')
    expect(changed.textContent).toContain('Acme')
    const denied = within(table).getByRole('row', { name: /blockchain\/ETH\/nodes/ })
    expect(denied.textContent).toContain('API key Shop')
    expect(denied.textContent).toContain('Denied · 12 times')
  })

  it('names the signing device that called', async () => {
    const call = { method: 'POST', apiPart: '/sweep-transactions/4/signature', member_id: null, Member: null }
    show({ 'GET /activity-log': () => pageOf([entry(1, { ...call, device: { id: 3, name: 'Phone of Olga' } })]) })
    expect(await screen.findByText('Device Phone of Olga')).toBeDefined()
  })

  it('opens an entry with what changed, field by field, and its hashes', async () => {
    const history = show()
    await userEvent.click(await screen.findByText('Change a project'))
    expect(history.location.href).toContain('entry=1')
    const drawer = await screen.findByRole('dialog', { name: 'Change a project' })
    const diff = await within(drawer).findByRole('table', { name: 'What changed' })
    expect(within(diff).getByRole('row', { name: 'name Acme Acme Ltd' })).toBeDefined()
    expect(within(drawer).getByText(HASH)).toBeDefined()
    expect(within(drawer).getByText('project_lead')).toBeDefined()
  })

  it.each([
    ['money', { eventCategory: 'money' }],
    ['access', { eventCategory: 'access' }],
    ['mine', { memberIDs: '1' }],
  ])('narrows to the view %s', async (view, query) => {
    show({}, `/settings/audit-log?view=${view}`)
    await screen.findByText('Change a project')
    expect(asked().at(-1)).toMatchObject(query)
  })

  it('narrows by its filters and its search, and says when nothing matches', async () => {
    show(
      { 'GET /activity-log': () => pageOf([]) },
      '/settings/audit-log?query=olga&key=3&event=createApiKey&result=DENIED&at=2026-11-01..2026-11-20',
    )
    expect(await screen.findByText('Nothing matches')).toBeDefined()
    expect(asked().at(-1)).toMatchObject({
      query: 'olga',
      apiKeyIDs: '3',
      eventName: 'createApiKey',
      apiStatus: 'DENIED',
      startDate: '2026-11-01T00:00:00',
    })
  })

  it('says why it could not be read, and reads again', async () => {
    let isBroken = true
    show({
      'GET /activity-log': () =>
        isBroken ? refusal(503, 'SERVICE_UNAVAILABLE', 'The server is starting or stopping.') : pageOf([entry(1)]),
    })
    expect(await screen.findByText('Audit log couldn’t be loaded')).toBeDefined()
    isBroken = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Change a project')).toBeDefined()
  })

  it.each([
    [{ ok: true, checked: 12408, headHash: HASH, firstBroken: null }, '12,408 entries, chain unbroken'],
    [{ ok: false, checked: 5, headHash: HASH, firstBroken: { id: 6, fault: 'removed' } }, 'Entry 6 is missing.'],
  ])('verifies the chain', async (found, said) => {
    show({ 'GET /activity-log/verify': () => found })
    await userEvent.click(await screen.findByRole('button', { name: 'Verify chain' }))
    expect(await screen.findByText(said)).toBeDefined()
  })

  it('saves what the filter lets through, and offers it only to those who may', async () => {
    const saved: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:export')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    show({ 'GET /activity-log/export': () => new Response('id\r\n1\r\n') })
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText(/The export is saved\./)).toBeDefined()
    expect(saved[0]).toMatch(/^activity-log-\d{4}-\d\d-\d\d\.csv$/)
    cleanup()
    const reader = { ...me(), permissions: { install: ['audit:read'], projects: {} } }
    show({}, '/settings/audit-log', reader)
    await screen.findByText('Change a project')
    expect(screen.queryByRole('button', { name: 'Verify chain' })).toBeNull()
  })
})
