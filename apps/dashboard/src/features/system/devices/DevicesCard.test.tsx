import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { DevicesCard } from './DevicesCard.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const device = {
  id: 4,
  name: 'Phone',
  fingerprint: '00112233aabbccdd',
  pairedBy: { id: 1, name: 'Ann', email: 'ann@shop.example' },
  pairedAt: '2026-11-20T05:40:00.000Z',
  lastUsedAt: null,
}

it('shows the code that pairs a device, and unpairs one after it was asked', async () => {
  const calls = stubServer({
    'GET /system/devices': () => ({ devices: [device] }),
    'GET /system': () => ({
      code: '042042',
      ...{ frontendServer: 'https://pay.example', backendServer: 'https://pay.example', server: 'https://pay.example' },
      blockchainNetwork: 'testnet',
    }),
    'POST /system/pair/code': () => ({ code: '042042', expiresAt: '2099-11-27T05:40:00.000Z' }),
    'DELETE /system/devices/4': () => ({ message: 'Phone was unpaired.' }),
  })
  renderScreen(<DevicesCard />, '/settings/system')
  await userEvent.click(await screen.findByRole('button', { name: 'Pair a device' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Pair a signing device' }))
  expect(dialog.getByText('042042')).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Done' }))
  expect(screen.getByText('00112233aabbccdd')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Unpair' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unpair' }))
  expect(await screen.findByText('Phone was unpaired.')).toBeDefined()
  expect(calls.some(({ method, path }) => method === 'DELETE' && path === '/system/devices/4')).toBe(true)
})
