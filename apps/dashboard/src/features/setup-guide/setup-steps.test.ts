import type { Readiness } from '@kassa/contract/payments/readiness.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { describe, expect, it } from 'vitest'

import { setupSteps } from './setup-steps.ts'
import type { SetupFacts } from './setup-steps.ts'

type Reason = Readiness['chains'][number]['reasons'][number]

const NO_WALLET: Reason = { kind: 'no_wallet', params: {}, text: 'Link one to this project.' }
const WALLET_MISSING: Readiness['missing'][number] = {
  kind: 'wallet',
  params: { networks: ['Ethereum', 'Base'] },
  text: 'Add a deposit wallet for Ethereum and Base.',
  fixPath: '/manageWallet/deposit-wallet',
}

const fresh: SetupFacts = {
  projectId: 7,
  isSandbox: true,
  hasFactor: false,
  readiness: {
    ready: false,
    missing: [WALLET_MISSING],
    chains: [chain('ETH', [NO_WALLET]), chain('BASE', [NO_WALLET])],
    leastAmountInUSD: null,
  },
  wallets: [],
  apiKeys: [],
  webhooks: [],
  summary: { totalCount: 0, closedCount: 0, openCount: 0, cancelledCount: 0 },
}

const ready: Readiness = {
  ready: true,
  missing: [],
  chains: [chain('ETH', []), chain('BASE', [])],
  leastAmountInUSD: '0.10',
}

function chain(blockchainCode: string, reasons: Reason[]): Readiness['chains'][number] {
  return { blockchainCode, ready: reasons.length === 0, lagBlocks: 0, reasons }
}

/** As much of a wallet as a step reads. */
function wallet(name: string, ...projectIds: number[]): Wallet {
  return { name, externalPlatformWallets: projectIds.map((id) => ({ externalPlatformID: id })) } as Wallet
}

const lines = (facts: SetupFacts) =>
  setupSteps(facts).map(({ title, fact, isDone }) => `${isDone ? '✓' : '○'} ${title}: ${fact}`)

describe('setupSteps', () => {
  it('starts a sandbox project with its wallet', () => {
    expect(lines(fresh)).toEqual([
      '○ Choose where customers pay: Add a deposit wallet for Ethereum and Base.',
      '✓ Accept assets: Accepted on 2 networks.',
      '✓ Check the nodes: 2 of 2 networks ready.',
      '○ Make a test payment: Possible once the steps marked “needed” are done.',
      '○ Add a second factor: Your password alone opens everything.',
      '○ Connect your shop: No API key, no webhook.',
    ])
    expect(setupSteps(fresh).find(({ id }) => id === 'test')?.blockedBy).toBe(WALLET_MISSING.text)
  })

  it('ticks what is there and opens what it allows', () => {
    const facts = { ...fresh, readiness: ready, wallets: [wallet('Main', 7), wallet('Other', 8)] }
    expect(lines(facts)).toEqual([
      '✓ Choose where customers pay: Deposits go to Main.',
      '✓ Accept assets: Accepted on 2 networks.',
      '✓ Check the nodes: 2 of 2 networks ready.',
      '○ Make a test payment: See $10 travel from a link to “Paid”.',
      '○ Add a second factor: Your password alone opens everything.',
      '○ Connect your shop: No API key, no webhook.',
    ])
    expect(setupSteps(facts).find(({ id }) => id === 'test')?.blockedBy).toBeUndefined()
  })

  it('does not count a wallet of another project', () => {
    const [step] = setupSteps({ ...fresh, readiness: ready, wallets: [wallet('Other', 8)] })
    expect(step).toMatchObject({ id: 'wallet', isDone: false, fact: 'No deposit wallet yet.' })
  })

  it('counts a network whose node is in trouble as not ready, and says what ails it', () => {
    const chains = [chain('ETH', []), chain('BASE', [{ kind: 'no_node', params: {}, text: 'It has no node.' }])]
    const step = setupSteps({ ...fresh, readiness: { ...ready, chains } }).find(({ id }) => id === 'nodes')
    expect(step).toMatchObject({ isDone: true, fact: '1 of 2 networks ready. It has no node.' })
  })

  it('asks where customers get help', () => {
    const step = (supportEmail: string) => setupSteps({ ...fresh, supportEmail }).find(({ id }) => id === 'support')
    expect(step('')).toMatchObject({ isDone: false, isNeeded: false, href: '/settings/account/7?tab=projectDetails' })
    expect(step('help@acme.example')).toMatchObject({ isDone: true, fact: 'Customers write to help@acme.example.' })
  })

  it('counts the keys and endpoints of a shop', () => {
    const active = { status: 'active' }
    const shop = { apiKeys: [active], webhooks: [active, active] } as unknown as Partial<SetupFacts>
    const step = setupSteps({ ...fresh, ...shop }).find(({ id }) => id === 'shop')
    expect(step).toMatchObject({ isDone: true, fact: '1 API key, 2 webhooks.' })
  })

  it('asks for a cold address until an active one is there', () => {
    const step = (status: string) =>
      setupSteps({ ...fresh, coldWallets: [{ ...wallet('Ledger 1'), status } as Wallet] }).find(
        ({ id }) => id === 'cold',
      )
    expect(step('inactive')).toMatchObject({ isDone: false, isNeeded: false, href: '/manageWallet/deposit-wallet' })
    expect(step('active')).toMatchObject({ isDone: true, fact: expect.stringContaining('swept to Ledger 1') })
  })

  it('names each step once', () => {
    const titles = setupSteps({ ...fresh, coldWallets: [], supportEmail: '', hasMailServer: false }).map(
      ({ title }) => title,
    )
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('asks for a mail server where nothing keeps what is sent', () => {
    const step = (hasMailServer?: boolean) => setupSteps({ ...fresh, hasMailServer }).find(({ id }) => id === 'mail')
    expect(step()).toBeUndefined()
    expect(step(false)).toMatchObject({ isDone: false, isNeeded: false, href: '/settings/email' })
    expect(step(true)).toMatchObject({ isDone: true })
  })

  it('is done with the test once a payment is paid', () => {
    const summary = { totalCount: 3, closedCount: 1, openCount: 2, cancelledCount: 0 }
    const step = setupSteps({ ...fresh, readiness: ready, summary }).find(({ id }) => id === 'test')
    expect(step).toMatchObject({ isDone: true, fact: '1 payment paid.' })
  })

  it('leaves out what an operator may not read, and the test outside the sandbox', () => {
    const narrow = { projectId: 7, isSandbox: false, hasFactor: true, readiness: ready, summary: fresh.summary }
    expect(setupSteps(narrow).map(({ id }) => id)).toEqual(['assets', 'nodes', 'factor'])
  })

  it('asks for the public address only when it is missing', () => {
    const missing = [{ kind: 'site_url', params: {}, text: 'Set the address.', fixPath: '/settings/system' }] as const
    const steps = setupSteps({ ...fresh, readiness: { ...ready, ready: false, missing: [...missing] } })
    expect(steps.at(-1)).toMatchObject({ id: 'address', href: '/settings/system', isDone: false, isNeeded: true })
  })
})
