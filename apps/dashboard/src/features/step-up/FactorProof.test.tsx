import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import type { DescribedAction, provePresence } from '../../api/presence.ts'
import type { provePasskey } from '../../api/passkey-proof.ts'
import type { StepUpRequest } from '../../api/step-up.ts'
import { FactorProof } from './FactorProof.tsx'
import '../../testing/patient.ts'

const asked = vi.hoisted(() => ({
  describeAction: vi.fn<(action: string, subject: unknown) => Promise<unknown>>(),
  provePresence: vi.fn<typeof provePresence>(),
}))
const passkey = vi.hoisted(() => ({ provePasskey: vi.fn<typeof provePasskey>() }))
vi.mock('../../api/presence.ts', () => asked)
vi.mock('../../api/passkey-proof.ts', () => passkey)

afterEach(() => {
  cleanup()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

const LINES: DescribedAction['display']['lines'] = [
  { code: 'customers_keep_addresses', params: {}, text: 'Customers who have an address keep it.' },
]
const DESCRIBED = { challengeId: 'c1', display: { title: 'Link', lines: LINES }, publicKey: { challenge: 'x' } }

function show() {
  vi.stubGlobal('PublicKeyCredential', class {})
  const settle = vi.fn<StepUpRequest['settle']>()
  const subject = { params: { p: '1' } }
  const methods = ['totp', 'passkey', 'backup']
  render(
    <FactorProof ask={{ id: 1, class: 'M', action: 'W14', methods, subject, settle }} onClose={() => settle(null)} />,
  )
  return settle
}

it('takes the code for exactly what it shows', async () => {
  asked.describeAction.mockResolvedValue(DESCRIBED)
  asked.provePresence.mockResolvedValue({ token: 'su_1' })
  const settle = show()
  const confirm = screen.getByRole('button', { name: 'Confirm' })
  expect(confirm.getAttribute('aria-disabled')).toBe('true')
  expect(await screen.findByText(/keep it/)).toBeDefined()
  await userEvent.type(screen.getByLabelText(/Code of the authenticator app/), '123456')
  await userEvent.click(confirm)
  expect(asked.provePresence).toHaveBeenCalledExactlyOnceWith({ method: 'totp', code: '123456' }, 'c1')
  expect(settle).toHaveBeenCalledExactlyOnceWith({ token: 'su_1' })
})

it('asks a passkey the question of what it shows, once it is there', async () => {
  asked.describeAction.mockResolvedValue(DESCRIBED)
  passkey.provePasskey.mockResolvedValue({ token: 'su_2' })
  const settle = show()
  const press = screen.getByRole('button', { name: 'Use a passkey' })
  expect(press.getAttribute('aria-disabled')).toBe('true')
  await screen.findByText(/keep it/)
  await userEvent.click(press)
  expect(passkey.provePasskey).toHaveBeenCalledExactlyOnceWith('W14', DESCRIBED)
  expect(settle).toHaveBeenCalledExactlyOnceWith({ token: 'su_2' })
})

it('takes nothing for what the server does not describe', async () => {
  asked.describeAction.mockRejectedValue(new Error('gone'))
  show()
  expect(await screen.findByRole('alert')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Confirm' }).getAttribute('aria-disabled')).toBe('true')
})
