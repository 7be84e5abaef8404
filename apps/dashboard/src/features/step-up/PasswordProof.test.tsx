import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import type { provePresence } from '../../api/presence.ts'
import type { StepUpRequest } from '../../api/step-up.ts'
import { PasswordProof } from './PasswordProof.tsx'
import '../../testing/patient.ts'

const asked = vi.hoisted(() => ({
  describeAction: vi.fn<(action: string, subject: unknown) => Promise<unknown>>(),
  provePresence: vi.fn<typeof provePresence>(),
}))
vi.mock('../../api/presence.ts', () => asked)

afterEach(() => {
  cleanup()
  vi.clearAllMocks()
})

const LINES = [
  {
    code: 'wallet_replaced',
    params: { project: 'Shop', family: 'ETH_Family', former: 'Old', wallet: 'New', fingerprint: 'c0ffee11' },
    text: 'as the server wrote it',
  },
  { code: 'of_a_later_version', params: {}, text: 'A sentence of the server.' },
]

function show(kind: 'S' | 'M') {
  const settle = vi.fn<StepUpRequest['settle']>()
  const subject = { params: { p: '1' } }
  const ask: StepUpRequest = { id: 1, class: kind, action: 'W14', methods: ['password'], subject, settle }
  render(<PasswordProof ask={ask} onClose={() => settle(null)} />)
  return { settle, subject }
}

it('shows what the server says will happen, and proves exactly that', async () => {
  asked.describeAction.mockResolvedValue({ challengeId: 'c1', display: { title: 'Link', lines: LINES } })
  asked.provePresence.mockResolvedValue({ token: 'su_1' })
  const { settle, subject } = show('M')
  const confirm = screen.getByRole('button', { name: 'Confirm' })
  expect(confirm.getAttribute('aria-disabled')).toBe('true')
  expect(await screen.findByText(/New customers of Shop .*“New” \(key c0ffee11\), no longer from “Old”/)).toBeDefined()
  expect(screen.getByText('A sentence of the server.')).toBeDefined()
  expect(asked.describeAction).toHaveBeenCalledExactlyOnceWith('W14', subject)
  await userEvent.type(screen.getByLabelText(/Password/), 'Correct.Horse9')
  await userEvent.click(confirm)
  expect(asked.provePresence).toHaveBeenCalledExactlyOnceWith({ method: 'password', password: 'Correct.Horse9' }, 'c1')
  expect(settle).toHaveBeenCalledExactlyOnceWith({ token: 'su_1' })
})

it('confirms nothing that the server does not describe', async () => {
  asked.describeAction.mockRejectedValue(new Error('gone'))
  show('M')
  expect(await screen.findByRole('alert')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Confirm' }).getAttribute('aria-disabled')).toBe('true')
})

it('asks for presence alone where no money moves', async () => {
  asked.provePresence.mockResolvedValue({})
  const { settle } = show('S')
  await userEvent.type(screen.getByLabelText(/Password/), 'Correct.Horse9')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(asked.describeAction).not.toHaveBeenCalled()
  expect(settle).toHaveBeenCalledExactlyOnceWith({})
})
