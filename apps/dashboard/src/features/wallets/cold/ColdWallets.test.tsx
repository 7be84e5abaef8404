import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { AT, me } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { ColdWallets } from './ColdWallets.tsx'

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('./ColdWalletEnd.tsx'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ledger = {
  ...{ id: 5, createdAt: AT, updatedAt: AT, name: 'Ledger 1', family: 'ETH_Family', blockchainFamilyID: 1 },
  ...{ secretType: 'none', walletType: 'cold_wallet', walletSubType: 'eoa', memberID: 1, status: 'active' },
  ...{ default: true, canDelete: true, abi: null, bytecode: null, salt: null, masterAddress: null },
  ...{ fund_sweeper_address: null, publicKey: null, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  ...{ balance: '0', externalPlatformWallets: [], pendingLinks: [], blockchainCode: 'ETH', usableAt: AT },
  ...{ walletScws: [], walletxpubs: [], walletFunctions: [], floatLimitInUSD: null },
  ...{ lastUsedAt: null, addressCount: 0, poolSize: 0 },
}

async function choose(entry: string) {
  const calls = stubServer({
    'GET /member/me': () => me('root'),
    'GET /wallets': () => [ledger],
    'DELETE /wallets/5': () => ({}),
    'PUT /wallets/5/inactive': () => ({}),
  })
  renderScreen(<ColdWallets />, '/manageWallet/deposit-wallet')
  const row = within(await screen.findByRole('row', { name: /Ledger 1/ }))
  await userEvent.click(row.getByRole('button', { name: /Ledger 1/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }))
  return () => calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
}

describe('a cold wallet', () => {
  it.each([
    ['Delete', 'Delete cold wallet', /used only 24 hours later/, 'DELETE /wallets/5'],
    ['Deactivate', 'Deactivate', /usable 24 hours after it is activated again/, 'PUT /wallets/5/inactive'],
  ])('%s says first what follows, and does it then', async (entry, action, consequence, request) => {
    const changes = await choose(entry)
    const dialog = within(await screen.findByRole('dialog', { name: `${entry} Ledger 1` }))
    expect(dialog.getByText(consequence)).toBeDefined()
    expect(changes()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: action }))
    await vi.waitFor(() => expect(changes()).toEqual([request]))
  })
})
