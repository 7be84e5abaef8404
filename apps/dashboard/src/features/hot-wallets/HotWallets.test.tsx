import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { AT, me, project } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { stubServer } from '../../testing/stub-server.ts'
import { HotWallets } from './HotWallets.tsx'

beforeEach(() => {
  window.innerWidth = 1300
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const ADDRESS = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'

const wallet = {
  ...{ id: 3, createdAt: AT, updatedAt: AT, name: 'Gas', family: 'TRX_Family', blockchainFamilyID: 3, balance: '0' },
  ...{ secretType: 'private_key', walletType: 'hot_wallet', walletSubType: 'eoa', memberID: 1, status: 'active' },
  ...{ default: true, canDelete: false, abi: null, bytecode: null, salt: null, masterAddress: null, publicKey: null },
  ...{
    fund_sweeper_address: null,
    address: ADDRESS,
    externalPlatformWallets: [],
    pendingLinks: [],
    walletScws: [],
    walletxpubs: [],
  },
  ...{
    walletFunctions: [],
    floatLimitInUSD: '500.00',
    blockchainCode: null,
    usableAt: null,
    lastUsedAt: null,
    addressCount: 0,
    poolSize: 0,
  },
}
const alarm = {
  ...{ id: 1, kind: 'hot_wallet_low', subject: 'TRX wallet 3', text: 'Low.', since: AT },
  params: {
    ...{ walletID: 3, blockchainCode: 'TRX', currencyCode: 'TRX', address: ADDRESS, needed: '20.5', held: '2.5' },
  },
}

function show(role: string, more: object = {}) {
  stubServer({
    'GET /member/me': () => me(role),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    'GET /wallets': () => [{ ...wallet, ...more }],
    'GET /wallets/balance': () => [],
    'GET /secrets-vaults': () => [],
    'GET /system/alarms': () => [alarm],
  })
  renderScreen(<HotWallets />, '/manageWallet/hot-wallet')
}

describe('hot wallets', () => {
  it('say what must arrive before they send again, and where to', async () => {
    show('root')
    expect(await screen.findByText(/“Gas”: sweeps and payouts on .* wait until about 18\sTRX arrive\./)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Top up' }))
    expect(within(await screen.findByRole('dialog')).getByText(/TLa2/)).toBeDefined()
  })

  it('say when their key signed last', async () => {
    show('root')
    const row = async () =>
      within(await screen.findByRole('table', { name: 'Hot wallets' })).findByRole('row', { name: /Gas/ })
    expect(within(await row()).getByText('Never')).toBeDefined()
    expect(screen.getByRole('columnheader', { name: 'Last use' })).toBeDefined()
    cleanup()
    show('root', { lastUsedAt: new Date(Date.now() - 150_000).toISOString() })
    expect(within(await row()).getByText('2 min ago')).toBeDefined()
  })
})
