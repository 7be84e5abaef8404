import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, refusal, type SentCall, stubServer } from '../../../testing/stub-server.ts'
import { depositWallet, walletAnswers } from '../../../testing/wallet-answers.ts'
import { DepositWallets } from '../DepositWallets.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const main = depositWallet(3, 'Main', [7])
const second = { ...depositWallet(4, 'Second', []), default: false, canDelete: true }
const writes = (calls: readonly SentCall[]) =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }))
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

function open(wallets: readonly object[], more: Answers = {}, search = '') {
  const calls = stubServer({ ...walletAnswers(wallets), ...more })
  renderScreen(<DepositWallets />, `/manageWallet/deposit-wallet${search}`)
  return calls
}

/** The card of the family: the list of cold wallets is answered with the same wallets. */
const card = async () => within(await screen.findByRole('region', { name: 'EVM' }))

/** Chooses an entry of the menu of a wallet. */
async function choose(wallet: string, entry: string) {
  await userEvent.click(await (await card()).findByRole('button', { name: `Actions for ${wallet}` }))
  const menu = (await card()).getByRole('menu', { name: `Actions for ${wallet}`, hidden: true })
  await userEvent.click(within(menu).getByRole('menuitem', { name: new RegExp(`^${entry}`), hidden: true }))
}

describe('WalletMenu', () => {
  it('renames a wallet', async () => {
    const calls = open([main], { 'PUT /wallets/3': () => ({ ...main, name: 'Shop' }) })
    await choose('Main', 'Rename')
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename Main' }))
    await userEvent.clear(dialog.getByRole('textbox', { name: 'Name' }))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Shop')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved')).toBeDefined()
    expect(writes(calls)).toEqual([{ method: 'PUT', path: '/wallets/3', body: { name: 'Shop' } }])
  })

  it('makes a wallet the default, says which one is, and takes one out of use after a question', async () => {
    const calls = open([main, second], {
      'PUT /wallets/4/default': () => ({ ...second, default: true }),
      'PUT /wallets/4/inactive': () => ({ ...second, status: 'inactive' }),
    })
    await choose('Second', 'Make default')
    expect(await screen.findByText('Second is the default')).toBeDefined()
    await choose('Second', 'Deactivate')
    const dialog = within(await screen.findByRole('dialog', { name: 'Deactivate Second' }))
    expect(dialog.getByText(/Assigned ones stay watched and are swept/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Deactivate' }))
    expect(await screen.findByText('Second is inactive')).toBeDefined()
    expect(writes(calls).map(({ path }) => path)).toEqual(['/wallets/4/default', '/wallets/4/inactive'])
  })

  it('says why a wallet that projects use cannot be taken out of use, and activates one that is not in use', async () => {
    const calls = open([main, { ...second, status: 'inactive' }], { 'PUT /wallets/4/active': () => second })
    expect(await screen.findByText('Projects use it: link them to another wallet, or unlink them.')).toBeDefined()
    await choose('Second', 'Activate')
    expect(await screen.findByText('Second is active')).toBeDefined()
    expect(writes(calls).map(({ path }) => path)).toEqual(['/wallets/4/active'])
  })

  it('deletes a wallet without assigned addresses, and shows why it may not', async () => {
    const text = 'This wallet is in use.'
    open([second], { 'DELETE /wallets/4': () => refusal(409, 'WALLET_IN_USE', text) })
    await choose('Second', 'Delete')
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Second' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Delete wallet' }))
    expect(await dialog.findByText(new RegExp(text))).toBeDefined()
  })

  it('unlinks a project after saying what its customers lose', async () => {
    const calls = open([main], { 'DELETE /project/7/wallet/3': () => ({ message: 'Done.' }) })
    await press('Link projects')
    await press('Unlink Acme')
    const dialog = within(await screen.findByRole('dialog', { name: 'Unlink Acme from Main' }))
    expect(dialog.getByText(/^New customers of Acme get no address on these networks/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Unlink' }))
    expect(await screen.findByText('Acme is unlinked')).toBeDefined()
    expect(writes(calls).map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /project/7/wallet/3'])
  })

  it('lists the addresses with who has them', async () => {
    const address = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
    const free = '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0'
    const row = { id: 1, address, path: 'm/0/0', family: 'ETH_Family', status: 'assigned' }
    const page = { total: 2, limit: 50, offset: 0, nextCursor: null }
    const data = [
      { ...row, memberID: 5, externalPlatformID: 7, assignedAt: AT },
      { ...row, id: 2, address: free, status: 'open', memberID: null, externalPlatformID: null, assignedAt: null },
    ]
    open([main], { 'GET /wallets/3/addresses': () => ({ ...page, data }) }, '?open=3')
    const table = within(await screen.findByRole('table', { name: 'Addresses' }))
    expect(await table.findByText('Assigned to a customer')).toBeDefined()
    expect(table.getByText('Acme')).toBeDefined()
    expect(table.getByText('Ready')).toBeDefined()
  })

  it('shows balances to be swept, and no actions to those who may only read payments', async () => {
    open([{ ...main, balance: '18204' }])
    expect((await screen.findByRole('link', { name: '$18,204.00' })).getAttribute('href')).toBe('/sweepIn?tabId=Funds')
    cleanup()
    open([main], { 'GET /member/me': () => refusal(500, 'INTERNAL_ERROR', 'Broken.') })
    expect(await screen.findByText('412 assigned to customers · 2,000 ready')).toBeDefined()
    expect((await card()).queryByRole('button', { name: 'Actions for Main' })).toBeNull()
  })
})
