import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me, sandboxConfiguration } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { stubServer } from '../../testing/stub-server.ts'
import { SandboxMail } from './SandboxMail.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const invitation = {
  id: 2,
  createdAt: AT,
  to: 'ops@shop.example',
  subject: 'You are invited to Kassa',
  paragraphs: ['owner@shop.example invites you.', 'The link works for three days.'],
  action: { label: 'Choose a password', url: 'http://localhost:8080/setPassword?resetPasswordToken=abc' },
  foot: 'Sent because somebody added you.',
}

function show(emails: readonly object[], features: object = {}) {
  stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => ({
      ...sandboxConfiguration,
      features: { ...sandboxConfiguration.features, smtp: false, ...features },
    }),
    'GET /sandbox/mail': () => emails,
  })
  renderScreen(<SandboxMail />, '/sandbox/mail')
}

describe('SandboxMail', () => {
  it('lists what was kept, and opens an e-mail whose link can be followed', async () => {
    show([invitation])
    const table = within(await screen.findByRole('table', { name: 'E-mails' }))
    expect(await table.findByText('ops@shop.example')).toBeDefined()
    await userEvent.click(table.getByRole('link', { name: /You are invited to Kassa/ }))
    const email = within(await screen.findByRole('dialog', { name: 'You are invited to Kassa' }))
    expect(email.getByText('owner@shop.example invites you.')).toBeDefined()
    expect(email.getByRole('link', { name: /Choose a password/ }).getAttribute('href')).toBe(invitation.action.url)
  })

  it('says that nothing was written yet', async () => {
    show([])
    expect(await screen.findByText('No e-mails yet')).toBeDefined()
  })

  it('says that e-mails are sent once there is a mail server, and that no other network keeps them', async () => {
    show([invitation], { smtp: true })
    expect(await screen.findByText(/new e-mails are sent/)).toBeDefined()
    cleanup()
    show([], { sandbox: false })
    expect(await screen.findByText('Nothing is kept here')).toBeDefined()
    expect(screen.queryByRole('table')).toBeNull()
  })
})
