import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { noteConnection } from '../../../lib/loading/server-reachable.ts'
import { AT, me, sandboxConfiguration } from '../../../testing/answers.ts'
import { blockchain } from '../../../testing/install-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, stubServer } from '../../../testing/stub-server.ts'
import { ContractFacts } from './ContractFacts.tsx'

const OWNER = '0x1111111111111111111111111111111111111111'
const COLD = '0x2222222222222222222222222222222222222222'
const NEXT = '0x4444444444444444444444444444444444444444'
const VAULT = '0x3333333333333333333333333333333333333333'

afterEach(() => {
  cleanup()
  noteConnection(true)
  vi.unstubAllGlobals()
  localStorage.clear()
})

type Contract = Wallet['walletScws'][number]

const contract = (more: Partial<Contract> = {}): Contract => ({
  ...{ id: 9, family: 'ETH_Family', blockchainCode: 'ETH', blockchainID: 1, walletID: 3, blockchainFamilyID: 1 },
  ...{ fundSweeperAddress: VAULT, fundCollectorAddress: COLD, collectorOnChain: COLD, ownerAddress: OWNER },
  ...{ pendingCollectorAddress: null, pendingCollectorReadyAt: null, transactionHash: '0xc0' },
  ...more,
})

const wallet = (contracts: readonly Contract[]) =>
  ({
    ...{ id: 3, name: 'Main', family: 'ETH_Family', walletType: 'deposit_wallet', walletSubType: 'scw' },
    ...{ salt: '0x01', masterAddress: OWNER, fund_sweeper_address: VAULT, walletScws: contracts, status: 'active' },
  }) as unknown as Wallet

const cold = (id: number, name: string, address: string) => ({
  ...{ id, createdAt: AT, updatedAt: AT, name, family: 'ETH_Family', blockchainFamilyID: 1, secretType: 'none' },
  ...{
    walletType: 'cold_wallet',
    walletSubType: 'eoa',
    memberID: 1,
    status: 'active',
    default: false,
    canDelete: true,
  },
  ...{
    abi: null,
    bytecode: null,
    salt: null,
    masterAddress: null,
    fund_sweeper_address: null,
    publicKey: null,
    address,
  },
  ...{
    balance: '0',
    externalPlatformWallets: [],
    pendingLinks: [],
    walletScws: [],
    walletxpubs: [],
    walletFunctions: [],
  },
  ...{ floatLimitInUSD: null, blockchainCode: 'ETH', usableAt: AT, lastUsedAt: null, addressCount: 0, poolSize: 0 },
})

const collector = (address: string, more: object) => ({
  ...{ blockchainCode: 'ETH', contractAddressID: 9, address, onChain: false, recorded: false, allowed: true },
  ...{ coldWalletID: 5, readyAt: null, proposedBy: null },
  ...more,
})

const PLACE = '/wallets/3/blockchain_family/ETH_Family/fund_collector_address'
const base = (collectors: readonly object[], more: Answers = {}): Answers => ({
  'GET /member/me': () => me(),
  'GET /wallets': () => [cold(5, 'Ledger 1', COLD), cold(6, 'Ledger 2', NEXT)],
  'GET /blockchains': () => [
    blockchain(),
    blockchain({ id: 1, code: 'ETH', name: 'Ethereum', chainID: 31_337, status: 'active' }),
  ],
  'GET /configuration/default': () => sandboxConfiguration,
  [`GET ${PLACE}`]: () => ({ walletID: 3, family: 'ETH_Family', collectors }),
  ...more,
})
const draw = (shown: Wallet) => renderScreen(<ContractFacts wallet={shown} />, '/manageWallet/deposit-wallet')
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** What the wallet of the sandbox was asked to send. */
const sandboxOwner = (sent: unknown[]): Answers => ({
  'POST /sandbox/owner-wallet/ETH': ({ body }) => {
    const { method, params = [] } = body as { method: string; params?: unknown[] }
    if (method === 'eth_requestAccounts') return { result: [OWNER] }
    if (method === 'eth_chainId') return { result: '0x7a69' }
    sent.push(params[0])
    return { result: `0x${'9f'.repeat(32)}` }
  },
})

describe('ContractFacts', () => {
  it('names the contract, the cold wallet its money goes to, and who can move it', async () => {
    stubServer(base([]))
    draw(wallet([contract()]))
    expect(await screen.findByText(/Ledger 1/)).toBeDefined()
    expect(screen.getByText(/Anyone may start a sweep; the money always goes to the cold address/)).toBeDefined()
    const link = await screen.findByRole('link', { name: 'Add a network' })
    expect(link.getAttribute('href')).toContain('/manageWallet/sweepContract/deploy?walletID=3')
  })

  it('says on mainnet that the contracts have no external review', async () => {
    const onMainnet = blockchain({ id: 1, code: 'ETH', name: 'Ethereum', networkMode: 'mainnet' })
    stubServer(base([], { 'GET /blockchains': () => [onMainnet] }))
    draw(wallet([contract()]))
    expect(await screen.findByText(/^Not yet reviewed: nobody outside has checked the sweep contracts/)).toBeDefined()
  })

  it('warns where one key owns the contract and gets the money', async () => {
    stubServer(base([]))
    draw(wallet([contract({ ownerAddress: COLD })]))
    expect(await screen.findByText(/one address owns the contract and gets the money/)).toBeDefined()
  })

  it('shows a proposal with the time that is left, and has the owner’s wallet refuse it', async () => {
    const sent: unknown[] = []
    const readyAt = new Date(Date.now() + 47.5 * 3_600_000)
    const proposal = { readyAt: readyAt.toISOString(), proposedBy: OWNER }
    stubServer(
      base([collector(COLD, { onChain: true, recorded: true }), collector(NEXT, proposal)], sandboxOwner(sent)),
    )
    draw(wallet([contract({ pendingCollectorAddress: NEXT, pendingCollectorReadyAt: readyAt })]))
    expect(await screen.findByText(new RegExp(`proposed on Ethereum that swept money goes to ${NEXT}`))).toBeDefined()
    await press('Veto')
    const accept = await screen.findByRole('button', { name: 'Accept on chain' })
    expect(accept.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click((await screen.findAllByRole('button', { name: 'Veto' })).at(-1) as HTMLElement)
    await press('Connect wallet')
    await press('Open in wallet')
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    // cancelCollector()
    expect(sent[0]).toMatchObject({ from: OWNER, to: VAULT, value: '0x0' })
    expect((sent[0] as { data: string }).data).toMatch(/^0x[0-9a-f]{8}$/)
  })

  it('has the owner’s wallet propose another cold wallet, with both addresses in full', async () => {
    const sent: unknown[] = []
    stubServer(base([collector(COLD, { onChain: true, recorded: true })], sandboxOwner(sent)))
    draw(wallet([contract()]))
    await press('Change…')
    await press('Propose on chain')
    await press('Connect wallet')
    await press('Open in wallet')
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    expect((sent[0] as { data: string }).data.endsWith(NEXT.slice(2))).toBe(true)
  })

  it('says that nothing is swept to an unconfirmed address, and confirms it', async () => {
    const changed = [collector(NEXT, { onChain: true }), collector(COLD, { recorded: true })]
    const calls = stubServer(
      base(changed, { [`PUT ${PLACE}`]: () => ({ walletID: 3, family: 'ETH_Family', collectors: [] }) }),
    )
    draw(wallet([contract({ collectorOnChain: NEXT })]))
    expect(await screen.findByText(/Nothing is swept until you confirm the new address/)).toBeDefined()
    await press('Look')
    await press('Confirm the new address')
    await vi.waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ address: NEXT, blockchainCode: 'ETH' })
  })
})
