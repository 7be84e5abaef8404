import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { depositWallet, walletAnswers } from '../../../testing/wallet-answers.ts'
import { ColdWallets } from './ColdWallets.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ledger = { ...depositWallet(4, 'Ledger', []), walletType: 'cold_wallet', default: false, usableAt: null }

async function choose(entry: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Ledger' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: new RegExp(`^${entry}`) }))
}

function open(status: 'active' | 'inactive', next: 'active' | 'inactive') {
  const calls = stubServer({
    ...walletAnswers([{ ...ledger, status }]),
    [`PUT /wallets/4/${next}`]: () => ({ ...ledger, status: next }),
  })
  renderScreen(<ColdWallets />, '/manageWallet/deposit-wallet')
  return () => calls.filter(({ method }) => method !== 'GET').map(({ path }) => path)
}

describe('ColdWallets', () => {
  it('says before a wallet is deactivated that it waits a day when it is activated again', async () => {
    const writes = open('active', 'inactive')
    await choose('Deactivate')
    const dialog = within(await screen.findByRole('dialog', { name: 'Deactivate Ledger' }))
    expect(dialog.getByText(/usable 24 hours after that/)).toBeDefined()
    expect(writes()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Deactivate' }))
    expect(await screen.findByText('Ledger is inactive')).toBeDefined()
    expect(writes()).toEqual(['/wallets/4/inactive'])
  })

  it('activates one again at once', async () => {
    const writes = open('inactive', 'active')
    await choose('Activate')
    expect(await screen.findByText('Ledger is active')).toBeDefined()
    expect(writes()).toEqual(['/wallets/4/active'])
  })
})
