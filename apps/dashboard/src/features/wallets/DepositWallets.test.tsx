import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { noteConnection } from '../../lib/loading/server-reachable.ts'
import { blockchain } from '../../testing/install-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../testing/stub-server.ts'
import { depositWallet, FIRST_ADDRESSES, walletAnswers } from '../../testing/wallet-answers.ts'
import { PendingCollectors } from './cards/PendingCollectors.tsx'
import { DepositWallets } from './DepositWallets.tsx'

afterEach(() => {
  cleanup()
  noteConnection(true)
  vi.unstubAllGlobals()
  localStorage.clear()
})

const SECRET_PASTED = 'This is a private key. Never paste it anywhere; send the public one. Clear your clipboard.'
const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt'
const writes = (calls: readonly SentCall[]) => calls.filter(({ method }) => method !== 'GET')
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

async function openWith(answers: Answers) {
  const calls = stubServer(answers)
  renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
  await press('Add deposit wallet')
  return calls
}
async function paste(text: string) {
  await userEvent.click(await screen.findByRole('textbox', { name: 'Extended public key' }))
  await userEvent.paste(text)
}

describe('DepositWallets', () => {
  it('says that customers cannot pay while no network has a wallet', async () => {
    stubServer(walletAnswers([]))
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    expect(await screen.findByText('Customers can’t pay until one network has a deposit wallet.')).toBeDefined()
    for (const name of ['EVM', 'TRON', 'Bitcoin', 'Solana']) {
      expect(within(screen.getByRole('region', { name })).getByText('Not set up')).toBeDefined()
    }
  })

  it('shows a wallet with its counts, its projects and who can move the money', async () => {
    stubServer(walletAnswers([depositWallet(3, 'Main', [7])]))
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    const card = within(await screen.findByRole('region', { name: 'EVM' }))
    expect(await card.findByText('412 assigned to customers · 2,000 ready')).toBeDefined()
    expect(await card.findByText('Acme')).toBeDefined()
    expect(card.getByText(/^Only the holder of the recovery phrase/)).toBeDefined()
  })

  it('names the networks that share an address as every other page does', async () => {
    const networks = ['ETH', 'BASE', 'POLYGON'].map((code, at) => blockchain({ id: at + 1, code }))
    stubServer({ ...walletAnswers([]), 'GET /blockchains': () => networks })
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    const card = within(await screen.findByRole('region', { name: 'EVM' }))
    expect(await card.findByText('Ethereum · Base · Polygon')).toBeDefined()
  })

  it('says which network is not in use, and how it is switched on', async () => {
    const cause = { code: 'not_started', params: {}, text: 'In another language.' }
    const off = blockchain({ code: 'TRX', family: 'TRX_Family', status: 'inactive', reason: cause.text, cause })
    stubServer({ ...walletAnswers([]), 'GET /blockchains': () => [off] })
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    expect(await screen.findByText('TRX is not in use. Switch it on: its local chain starts with it.')).toBeDefined()
  })

  it('says on other screens that another collector was proposed, with the time left', async () => {
    const [vault, next] = ['0x3333333333333333333333333333333333333333', '0x4444444444444444444444444444444444444444']
    const contract = {
      ...{ id: 9, family: 'ETH_Family', blockchainCode: 'ETH', blockchainID: 1, walletID: 3, blockchainFamilyID: 1 },
      ...{ fundSweeperAddress: vault, fundCollectorAddress: vault, collectorOnChain: vault, ownerAddress: vault },
      ...{ pendingCollectorAddress: next, transactionHash: '0xc0' },
      pendingCollectorReadyAt: new Date(Date.now() + 47.5 * 3_600_000).toISOString(),
    }
    stubServer(walletAnswers([{ ...depositWallet(3, 'Main', [7]), walletScws: [contract] }]))
    renderScreen(<PendingCollectors />, '/manageWallet/hot-wallet')
    expect(await screen.findByText(/A new collector was proposed for Main on Ethereum: 0x44/)).toBeDefined()
    expect(screen.getByText('1 day')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Veto' }).getAttribute('href')).toBe('/manageWallet/deposit-wallet')
  })

  it('says while another wallet waits to replace one, and withdraws it', async () => {
    const effectiveAt = new Date(Date.now() + 23.5 * 3_600_000).toISOString()
    const link = { externalPlatformID: 7, family: 'ETH_Family', blockchainFamilyID: 1, effectiveAt }
    const calls = stubServer({
      ...walletAnswers([depositWallet(3, 'Main', [7]), { ...depositWallet(4, 'Next', []), pendingLinks: [link] }]),
      'DELETE /project/7/wallet/4': () => ({ message: 'The wallet was unlinked.' }),
    })
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    expect(await screen.findByText(/^New customers of Acme will get addresses of the wallet “Next”/)).toBeDefined()
    expect(screen.getByText('23 hours')).toBeDefined()
    await press('Withdraw')
    const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw the change to Next' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Withdraw' }))
    await vi.waitFor(() => expect(writes(calls).map(({ path }) => path)).toEqual(['/project/7/wallet/4']))
  })

  it('adds a list of addresses that the signer made, and refuses another file', async () => {
    const listed = { ...depositWallet(9, 'Solana', [7], []), family: 'SOL_Family', walletxpubs: [], secretType: 'none' }
    const calls = stubServer({
      ...walletAnswers([]),
      'POST /wallets/deposit/eoa/bulk': () => listed,
      'POST /project/8/wallet': () => [],
    })
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    await press('Add address list')
    const dialog = within(await screen.findByRole('dialog', { name: 'Add address list' }))
    const input = document.querySelector<HTMLInputElement>('input[type="file"]')
    if (input === null) throw new Error('There is no file field')
    const list = { family: 'SOL_Family', addresses: [{ index: 0, address: 'HAgk14', signature: '5Ver' }] }
    await userEvent.upload(input, new File(['{}'], 'other.json', { type: 'application/json' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Add addresses' }))
    expect(
      await dialog.findByText('This is not an address list from the signer. Choose solana-addresses.json.'),
    ).toBeDefined()
    await userEvent.upload(input, new File([JSON.stringify(list)], 'list.json', { type: 'application/json' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Add addresses' }))
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [added] = writes(calls)
    expect(added?.body).toEqual({ name: 'Solana', xpubs: [], lists: [list], projectID: 7 })
  })

  it('offers nothing to change to those who may only read', async () => {
    stubServer(walletAnswers([depositWallet(3, 'Main', [7])], 'auditor'))
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    expect((await screen.findAllByText('Main')).length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: 'Add deposit wallet' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Link projects' })).toBeNull()
  })

  it('shows the error with its code and a way to try again', async () => {
    stubServer({ ...walletAnswers([]), 'GET /wallets': () => refusal(500, 'INTERNAL_ERROR', 'Something broke.') })
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    expect(await screen.findByText('Deposit wallets couldn’t be loaded')).toBeDefined()
    expect(screen.getAllByRole('button', { name: 'Try again' }).length).toBeGreaterThan(0)
  })
})

describe('AddWalletDialog', () => {
  it.each([
    ['recovery words', WORDS],
    ['an extended private key', `xprv${XPUB.slice(4)}`],
  ])('refuses %s, empties the field and sends nothing', async (_name, secret) => {
    const calls = await openWith(walletAnswers([]))
    await paste(secret)
    expect(screen.getByText(SECRET_PASTED)).toBeDefined()
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Extended public key' }).value).toBe('')
    await press('Continue')
    expect(screen.getByText(SECRET_PASTED)).toBeDefined()
    expect(writes(calls)).toEqual([])
  })

  it('shows the first addresses, then sends the public key with the projects that have no wallet', async () => {
    const calls = await openWith({
      ...walletAnswers([]),
      'POST /wallets/deposit/eoa/bulk': () => depositWallet(3, 'Main', [7]),
      'POST /project/8/wallet': () => [],
    })
    await paste(` ${XPUB}\n`)
    await press('Continue')
    const table = within(await screen.findByRole('table', { name: 'First addresses' }))
    expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(FIRST_ADDRESSES)
    await press('Continue')
    await press('Add wallet')
    expect(await screen.findByText('Deposit wallet “Main” added')).toBeDefined()
    expect(writes(calls).map(({ path, body }) => [path, body])).toEqual([
      ['/wallets/deposit/eoa/bulk', { name: 'Main', xpubs: [{ family: 'ETH_Family', xpub: XPUB }], projectID: 7 }],
      ['/project/8/wallet', { wallets: [{ walletID: 3, blockchainFamily: 'ETH_Family' }] }],
    ])
  })

  it('adds a wallet of TRON from its own card, whose addresses start with T', async () => {
    const addresses = [
      'TPrkFhZ8LH8Mruco8vXyA496TaeFBrbmeU',
      'TL9gR3f4FgNa9VZAsPt6xuKXPrfWAUJ5MW',
      'TSbsqyRqi1Fa1Yk3wV773wp56rYoJVmDoo',
    ]
    const calls = stubServer({
      ...walletAnswers([]),
      'POST /wallets/deposit/eoa/bulk': () => {
        const made = depositWallet(3, 'TRON', [7], addresses)
        return { ...made, walletxpubs: made.walletxpubs.map((one) => ({ ...one, family: 'TRX_Family' })) }
      },
      'POST /project/8/wallet': () => [],
    })
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    const card = within(await screen.findByRole('region', { name: 'TRON' }))
    await userEvent.click(await card.findByRole('button', { name: 'Set up' }))
    await paste(XPUB)
    await press('Continue')
    const table = within(await screen.findByRole('table', { name: 'First addresses' }))
    const shown = table.getAllByRole('cell').map(({ textContent }) => textContent)
    expect(shown).toEqual(addresses)
    await press('Continue')
    await press('Add wallet')
    expect(await screen.findByText('Deposit wallet “TRON” added')).toBeDefined()
    expect(writes(calls)[0]?.body).toEqual({
      name: 'TRON',
      xpubs: [{ family: 'TRX_Family', xpub: XPUB }],
      projectID: 7,
    })
  })

  it('goes on where it failed: the wallet is added once, the project left out is linked', async () => {
    let isDown = true
    const calls = await openWith({
      ...walletAnswers([]),
      'POST /wallets/deposit/eoa/bulk': () => depositWallet(3, 'Main', [7]),
      'POST /project/7/wallet': () => [],
      'POST /project/8/wallet': () => (isDown ? refusal(503, 'INTERNAL_ERROR', 'Try later.') : []),
    })
    await paste(XPUB)
    await press('Continue')
    await screen.findByRole('table', { name: 'First addresses' })
    await press('Continue')
    await press('Add wallet')
    expect(await screen.findByText('Try later.')).toBeDefined()
    isDown = false
    await press('Add wallet')
    await screen.findByText('Deposit wallet “Main” added')
    const paths = writes(calls).map(({ path }) => path)
    expect(paths.filter((path) => path === '/wallets/deposit/eoa/bulk')).toHaveLength(1)
    expect(paths.at(-1)).toBe('/project/8/wallet')
  })

  it('warns when the server derives other addresses from the key', async () => {
    await openWith({
      ...walletAnswers([]),
      'POST /wallets/deposit/eoa/bulk': () => depositWallet(3, 'Main', [7], [...FIRST_ADDRESSES].reverse()),
      'POST /project/8/wallet': () => [],
    })
    await paste(XPUB)
    await press('Continue')
    await screen.findByRole('table', { name: 'First addresses' })
    await press('Continue')
    await press('Add wallet')
    expect(
      (await screen.findByText(/^The wallet was added, but the server shows other addresses/)).textContent,
    ).toBeDefined()
  })

  it('makes words here, goes on only when they are written down, and never sends them', async () => {
    const calls = await openWith(walletAnswers([]))
    await userEvent.click(await screen.findByRole('radio', { name: /^Make a test wallet/ }))
    await press('Continue')
    const list = await screen.findByRole('list', { name: 'Recovery words' })
    const words = within(list).getAllByRole('listitem')
    expect(words).toHaveLength(12)
    await press('Continue')
    expect(screen.getByText('Write the words down first, then tick the box.')).toBeDefined()
    await userEvent.click(screen.getByRole('checkbox', { name: 'I have written them down' }))
    await press('Continue')
    await screen.findByRole('table', { name: 'First addresses' })
    expect(screen.queryByRole('list', { name: 'Recovery words' })).toBeNull()
    await press('Continue')
    await press('Add wallet')
    const xpub: unknown = expect.stringMatching(/^xpub6/)
    expect(writes(calls).map(({ body }) => body)).toEqual([
      { name: 'Main', xpubs: [{ family: 'ETH_Family', xpub }], projectID: 7 },
    ])
  })

  it('reports that the server does not answer where the code to read a key fails to load, and reads the key once it does', async () => {
    let isAnswering = false
    await openWith({ ...walletAnswers([]), 'HEAD /': () => new Response(null, { status: isAnswering ? 200 : 502 }) })
    noteConnection(false)
    await paste(XPUB)
    await press('Continue')
    expect(await screen.findByText('The key couldn’t be read. Check your connection and try again.')).toBeDefined()
    isAnswering = true
    await press('Continue')
    expect(await screen.findByRole('table', { name: 'First addresses' })).toBeDefined()
  })

  it('leads back from words to where others are made, from the words themselves and from comparing', async () => {
    await openWith(walletAnswers([]))
    const make = async () => {
      await press('Continue')
      return (await screen.findByRole('list', { name: 'Recovery words' })).textContent
    }
    await userEvent.click(await screen.findByRole('radio', { name: /^Make a test wallet/ }))
    const first = await make()
    await press('Back')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^Make a test wallet/ }).checked).toBe(true)
    const second = await make()
    expect(second).not.toBe(first)
    await userEvent.click(screen.getByRole('checkbox', { name: 'I have written them down' }))
    await press('Continue')
    expect(await screen.findByText(/^Type the words you wrote down into a wallet app and compare/)).toBeDefined()
    await press('Back')
    expect(await make()).not.toBe(second)
  })
})

describe('the Bitcoin wallet', () => {
  const versions = { public: 0x043587cf, private: 0x04358394 }
  const tpub = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS), versions).derive("m/49'/1'/0'").publicExtendedKey
  const first = '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'

  it('is set up from a key of its network, and asks which addresses one has that does not say it', async () => {
    const calls = stubServer({
      ...walletAnswers([]),
      'POST /wallets/deposit/eoa/bulk': () => refusal(409, 'XPUB_EXISTS', 'Known.'),
    })
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    const card = within(await screen.findByRole('region', { name: 'Bitcoin' }))
    await userEvent.click(await card.findByRole('button', { name: 'Set up' }))
    await screen.findByRole('dialog', { name: 'Add Bitcoin wallet' })
    await paste(XPUB)
    await press('Continue')
    expect(
      await screen.findByText(/^An extended public key for this network of Bitcoin starts with vpub/),
    ).toBeDefined()
    await userEvent.clear(screen.getByRole('textbox', { name: 'Extended public key' }))
    await paste(tpub)
    await userEvent.click(await screen.findByRole('radio', { name: /^Nested SegWit/ }))
    await press('Continue')
    expect((await screen.findByRole('table', { name: 'First addresses' })).textContent).toContain(first)
    await press('Continue')
    await press('Add wallet')
    expect(writes(calls).map(({ body }) => body)).toEqual([
      { name: 'Bitcoin', xpubs: [{ family: 'BTC_Family', xpub: tpub, path: "m/49'/1'/0'" }], projectID: 7 },
    ])
  })

  it('says how far its owner’s own wallet must look', async () => {
    stubServer(walletAnswers([{ ...depositWallet(5, 'Coins', [7]), family: 'BTC_Family' }]))
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    expect(await screen.findByText(/^Set the gap limit of your own wallet to 500 or more/)).toBeDefined()
  })
})

describe('LinkProjectsDialog', () => {
  /** The wallet that Acme uses, and the one that takes its place later. */
  const linkedTo = (walletID: number, replacedBy: object | null = null) => ({
    ...{ id: 1, walletID, externalPlatformID: 7, blockchainFamily: 'ETH_Family', family: 'ETH_Family' },
    ...{ blockchainFamilyID: 1, walletName: 'Main', changeOrDeleteRisky: false, replacedBy },
    wallet: depositWallet(walletID, 'Main', [7]),
  })

  it('names the wallet a project uses now and links it to this one', async () => {
    const calls = stubServer({
      ...walletAnswers([depositWallet(3, 'Main', [7]), depositWallet(4, 'Second', [])]),
      'POST /project/7/wallet': () => [linkedTo(4)],
    })
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    const [, second] = await screen.findAllByRole('button', { name: 'Link projects' })
    await userEvent.click(second ?? document.body)
    const dialog = within(screen.getByRole('dialog', { name: 'Link projects to “Second”' }))
    expect(dialog.getByText('Uses “Main” now.')).toBeDefined()
    await userEvent.click(dialog.getByRole('checkbox', { name: /^Acme/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Link projects' }))
    expect(await screen.findByText('Project linked')).toBeDefined()
    expect(writes(calls)).toMatchObject([
      { path: '/project/7/wallet', body: { wallets: [{ walletID: 4, blockchainFamily: 'ETH_Family' }] } },
    ])
  })

  it('says that another wallet takes effect later where it waits', async () => {
    const effectiveAt = new Date(Date.now() + 86_400_000).toISOString()
    stubServer({
      ...walletAnswers([depositWallet(3, 'Main', [7]), depositWallet(4, 'Second', [])]),
      'POST /project/7/wallet': () => [linkedTo(3, { walletID: 4, walletName: 'Second', effectiveAt })],
    })
    renderScreen(<DepositWallets />, '/manageWallet/deposit-wallet')
    const [, second] = await screen.findAllByRole('button', { name: 'Link projects' })
    await userEvent.click(second ?? document.body)
    const dialog = within(screen.getByRole('dialog', { name: 'Link projects to “Second”' }))
    await userEvent.click(dialog.getByRole('checkbox', { name: /^Acme/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Link projects' }))
    expect(await screen.findByText('It takes effect in 24 hours and can be withdrawn until then')).toBeDefined()
  })
})
