import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { storeUser } from '../../api/session.ts'
import { currentToasts, dismissToast } from '../../ui/feedback/toast.ts'
import { AddProjectDialog } from './AddProjectDialog.tsx'
import '../../testing/patient.ts'

const AT = '2026-11-20T05:10:44.000Z'
const TEXTS = [
  'logoPath',
  'website',
  'successEndpoint',
  'cancelEndpoint',
  'frontendEndpoint',
  'webhookEndpoint',
  'twitterURL',
  'discordURL',
  'linkedInURL',
  'telegramURL',
  'supportEmail',
  'emailSendRequestFrom',
  'emailSendRequestReplyTo',
] as const
const PROJECT = {
  ...Object.fromEntries(TEXTS.map((name) => [name, ''])),
  id: 12,
  createdAt: AT,
  updatedAt: AT,
  name: 'Acme',
  brandColor: '#caff54',
  defaultPaymentBlockchainID: null,
  defaultPaymentBlockchainCurrencyID: null,
  externalPlatformBlockchainCurrencies: null,
  status: 'active',
}

type Answers = { create?: () => Response; change?: () => Response }

const calls: { method: string; body: unknown }[] = []

beforeEach(() => {
  calls.length = 0
  localStorage.clear()
  currentToasts().forEach(({ id }) => dismissToast(id))
  storeUser({ key: 'ks_abc', role: { name: 'root' }, rootExists: true })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function answerWith({
  create = () => Response.json(PROJECT, { status: 201 }),
  change = () => Response.json(PROJECT),
}: Answers) {
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (!url.includes('/api/v1/')) return Promise.resolve(new Response('png'))
    const method = init?.method ?? 'GET'
    calls.push({ method, body: init?.body })
    try {
      return Promise.resolve(method === 'POST' ? create() : change())
    } catch (thrown) {
      return Promise.reject(thrown instanceof Error ? thrown : new Error('lost'))
    }
  })
}

async function open(answers: Answers = {}) {
  answerWith(answers)
  const onClose = vi.fn<() => void>()
  const history = createMemoryHistory({ initialEntries: ['/'] })
  const dialog = () => <AddProjectDialog onClose={onClose} />
  const routeTree = createRootRoute({ component: dialog, notFoundComponent: dialog })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createRouter({ routeTree, history }) as never} />
    </QueryClientProvider>,
  )
  const field = await screen.findByRole('textbox', { name: 'Name of your project' })
  return { field, history, onClose }
}

const refusal = (message: string) => Response.json({ error: { code: 'IMAGE_INVALID', message } }, { status: 400 })

describe('AddProjectDialog', () => {
  it('keeps its button disabled while the name is empty', async () => {
    const { field } = await open()
    const button = screen.getByRole('button', { name: 'Continue To Project Details' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await userEvent.type(field, 'Acme')
    expect(button.getAttribute('aria-disabled')).toBeNull()
  })

  it('asks for the name on Enter, and forgets the text on typing', async () => {
    const { field } = await open()
    await userEvent.type(field, '  {Enter}')
    expect(screen.getByText('Project Name is required')).toBeDefined()
    await userEvent.type(field, 'A')
    expect(screen.queryByText('Project Name is required')).toBeNull()
    expect(calls).toEqual([])
  })

  it('creates with the name alone, then saves colour and logo, then goes to the details', async () => {
    const { field, history, onClose } = await open()
    await userEvent.type(field, ' Acme {Enter}')
    await waitFor(() => expect(history.location.href).toBe('/settings/account/12?tab=projectDetails'))
    expect(onClose).toHaveBeenCalled()
    expect(calls[0]).toEqual({ method: 'POST', body: '{"name":"Acme"}' })
    const form = calls[1]?.body
    const logo = form instanceof FormData ? form.get('logo') : null
    expect(form instanceof FormData && form.get('brandColor')).toBe('#caff54')
    expect(logo instanceof File && logo.name).toBe('logo.png')
  })

  it('shows why nothing was created and stays open', async () => {
    const { field, onClose } = await open({ create: () => refusal('You need the permission project:create.') })
    await userEvent.type(field, 'Acme{Enter}')
    expect(await screen.findByText('You need the permission project:create.')).toBeDefined()
    expect(onClose).not.toHaveBeenCalled()
  })

  it('does nothing further when the answer names no id', async () => {
    const { field, history, onClose } = await open({ create: () => Response.json({ ...PROJECT, id: undefined }) })
    await userEvent.type(field, 'Acme{Enter}')
    await waitFor(() => expect(calls).toHaveLength(1))
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Continue To Project Details' }).hasAttribute('aria-busy')).toBe(false),
    )
    expect(field).toHaveProperty('value', 'Acme')
    expect(screen.queryByText('Error saving project.')).toBeNull()
    expect(onClose).not.toHaveBeenCalled()
    expect(history.location.href).toBe('/')
  })

  it('says that saving failed when the server cannot be reached', async () => {
    const { field } = await open({
      create: () => {
        throw new TypeError('Failed to fetch')
      },
    })
    await userEvent.type(field, 'Acme{Enter}')
    expect(await screen.findByText('Error saving project.')).toBeDefined()
  })

  it('goes on with a warning when only the second step failed', async () => {
    const { field, history } = await open({ change: () => refusal('The logo could not be read.') })
    await userEvent.type(field, 'Acme{Enter}')
    await waitFor(() => expect(history.location.pathname).toBe('/settings/account/12'))
    expect(currentToasts()).toMatchObject([
      { tone: 'error', text: 'The logo could not be read. The project exists; its logo and colour weren’t saved.' },
    ])
  })
})
