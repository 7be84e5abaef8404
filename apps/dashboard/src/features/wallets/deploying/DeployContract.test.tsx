import { ownerCallData, vaultAddressOf } from '@kassa/keys/vault-calls.ts'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { noteConnection } from '../../../lib/loading/server-reachable.ts'
import { AT, me, sandboxConfiguration } from '../../../testing/answers.ts'
import { blockchain } from '../../../testing/install-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../../testing/stub-server.ts'
import { DeployContract } from './DeployContract.tsx'

const OWNER = '0x1111111111111111111111111111111111111111'
const COLD = '0x2222222222222222222222222222222222222222'
const FACTORY = '0x3333333333333333333333333333333333333333'
const HASH = `0x${'9f'.repeat(32)}`
/** Keccak-256 of the two bytes that stand for the factory's code. */
const CODE = '0x6001'
const CODE_HASH = '0x309c67890bde4c575dc23d2cc3b5c3a3d599e312e980e9b61b5bc8f3cd87c8bb'

const wallets: (() => void)[] = []
afterEach(() => {
  cleanup()
  noteConnection(true)
  for (const remove of wallets.splice(0)) remove()
  vi.unstubAllGlobals()
  localStorage.clear()
})

/** A wallet of the browser, on the network of the sandbox's ETH unless it says otherwise. */
function announce(answers: Record<string, unknown> = {}) {
  const all: Record<string, unknown> = {
    eth_requestAccounts: [OWNER],
    eth_chainId: '0x7a69',
    eth_getCode: CODE,
    eth_estimateGas: '0x7a120',
    eth_gasPrice: '0x3b9aca00',
    eth_getBalance: '0xde0b6b3a7640000',
    eth_sendTransaction: HASH,
    ...answers,
  }
  const asked: { method: string; params?: readonly unknown[] }[] = []
  const provider = {
    request: async (call: { method: string; params?: readonly unknown[] }) => {
      asked.push(call)
      const answer = all[call.method]
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const detail = { info: { uuid: 'one', name: 'Fake', icon: '' }, provider }
  const listener = () => void window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', listener)
  wallets.push(() => window.removeEventListener('eip6963:requestProvider', listener))
  return { asked, all }
}

const contract = (contractType: string, address: string | null) => ({
  id: contractType === 'factory_contract' ? 11 : 12,
  createdAt: AT,
  updatedAt: AT,
  blockchainCode: 'ETH',
  blockchain_id: 1,
  contractType,
  abi: '[]',
  bytecode: '0x60',
  address,
  description: '',
  status: 'active',
  currencyStandard: 'ERC20',
  codeHash: CODE_HASH,
  version: 1,
  source: 'release',
})

const coldWallet = (address = COLD) => ({
  ...{ id: 5, createdAt: AT, updatedAt: AT, name: 'Ledger 1', family: 'ETH_Family', blockchainFamilyID: 1 },
  ...{ secretType: 'none', walletType: 'cold_wallet', walletSubType: 'eoa', memberID: 1, status: 'active' },
  ...{ default: true, canDelete: false, abi: null, bytecode: null, salt: null, masterAddress: null },
  ...{
    fund_sweeper_address: null,
    publicKey: null,
    address,
    balance: '0',
    externalPlatformWallets: [],
    pendingLinks: [],
  },
  ...{ walletScws: [], walletxpubs: [], walletFunctions: [], floatLimitInUSD: null, blockchainCode: 'ETH' },
  ...{ usableAt: AT, lastUsedAt: null, addressCount: 0, poolSize: 0 },
})

const tron = () => blockchain({ id: 3, code: 'TRX', name: 'TRON', chainID: 31_341, family: 'TRX_Family' })
const ethereum = () => blockchain({ id: 1, code: 'ETH', name: 'Ethereum', chainID: 31_337 })

const base = (more: Answers = {}, cold: object[] = [coldWallet()]): Answers => ({
  'GET /member/me': () => me(),
  'GET /wallets': () => cold,
  'GET /blockchains': () => [ethereum()],
  'GET /configuration/default': () => sandboxConfiguration,
  'GET /blockchain-contract/blockchain/ETH/contract/factory_contract': () => contract('factory_contract', FACTORY),
  'GET /blockchain-contract/blockchain/ETH/contract/fund_sweeper': () => contract('fund_sweeper', null),
  ...more,
})
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const draw = () => renderScreen(<DeployContract />, '/manageWallet/sweepContract/deploy')
const REGISTER = 'POST /wallets/deposit/scw/blockchains_contract/11'

/** Up to what the wallet is asked to sign. */
async function toSign() {
  draw()
  await press('Connect wallet')
  await press('Continue')
  expect(await screen.findByText(/code hash equals the release/)).toBeDefined()
  expect(screen.getByText(/, [\d,]+ gas; the account has/).textContent).not.toMatch(/\d{4} gas/)
  await press('Continue')
}

describe('DeployContract', () => {
  it('says why no cold address can be chosen, and reads them again', async () => {
    announce()
    let isDown = true
    const refused = () => refusal(503, 'SERVICE_UNAVAILABLE', 'The database does not answer.')
    stubServer(base({ 'GET /wallets': () => (isDown ? refused() : [coldWallet()]) }))
    draw()
    await press('Connect wallet')
    expect(await screen.findByText('Cold wallets couldn’t be loaded')).toBeDefined()
    isDown = false
    await press('Try again')
    expect(await screen.findByRole('radio', { name: /Ledger 1/ })).toBeDefined()
  })

  it('has the wallet send the call that was shown, waits for the network, and registers it', async () => {
    const { asked } = announce()
    let times = 0
    const calls = stubServer(
      base({
        [REGISTER]: () => {
          times += 1
          const data = { confirmations: 1, required: 2 }
          return times === 1
            ? refusal(409, 'TRANSACTION_UNCONFIRMED', 'Wait.', { data })
            : Response.json({ ...coldWallet(), walletType: 'deposit_wallet' }, { status: 201 })
        },
      }),
    )
    await toSign()
    await press('Open in wallet')
    expect(await screen.findByText('1 of 2 confirmations.')).toBeDefined()
    expect(await screen.findByText(/^Verified\./)).toBeDefined()
    const sent = asked.find(({ method }) => method === 'eth_sendTransaction')?.params?.[0] as Record<string, string>
    expect(sent).toMatchObject({ from: OWNER, to: FACTORY, value: '0x0', chainId: '0x7a69' })
    const { data = '' } = sent
    // createVault(bytes32,address): the salt, and the cold address in full.
    expect(data).toHaveLength(2 + 8 + 64 + 64)
    expect(data.endsWith(COLD.slice(2))).toBe(true)
    const salt = `0x${data.slice(10, 74)}`
    const expected = vaultAddressOf({ factory: FACTORY, bytecode: '0x60', owner: OWNER, salt })
    expect(screen.getByText((_text, node) => node?.textContent?.replaceAll(/\s/g, '') === expected)).toBeDefined()
    expect(calls.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({ transactionHash: HASH })
    expect(localStorage.getItem('kassa-deployment')).toBeNull()
  })

  it('offers ETH and TRX for a new contract, whatever other networks are in use', async () => {
    announce()
    stubServer(base({ 'GET /blockchains': () => [blockchain(), ethereum(), tron()] }))
    draw()
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Network' })
    expect([...choice.options].map(({ textContent }) => textContent)).toEqual(['Ethereum', 'TRON'])
  })

  it('has the built-in wallet create one on TRON, at the address that TRON gives it', async () => {
    announce()
    const [owner, cold] = ['TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK']
    const factory = 'TVT47XAzaing2Tkm7Qf7yj678QSbeqpEXP'
    const answers: Record<string, unknown> = {
      ...{ eth_requestAccounts: [owner], eth_chainId: '0x7a6d', eth_getCode: CODE, eth_estimateGas: '0x2dc6c0' },
      ...{ eth_gasPrice: '0x64', eth_getBalance: '0x2540be400', eth_sendTransaction: HASH.slice(2) },
    }
    const calls = stubServer(
      base(
        {
          'GET /blockchains': () => [tron()],
          'GET /blockchain-contract/blockchain/TRX/contract/factory_contract': () =>
            contract('factory_contract', factory),
          'GET /blockchain-contract/blockchain/TRX/contract/fund_sweeper': () => contract('fund_sweeper', null),
          'POST /sandbox/owner-wallet/TRX': ({ body }) => ({ result: answers[(body as { method: string }).method] }),
          [REGISTER]: () => Response.json({ ...coldWallet(), walletType: 'deposit_wallet' }, { status: 201 }),
        },
        [{ ...coldWallet(cold), blockchainCode: 'TRX' }],
      ),
    )
    await toSign()
    await press('Open in wallet')
    expect(await screen.findByText(/^Verified\./)).toBeDefined()
    const sent = calls.find(({ body }) => (body as { method?: string } | undefined)?.method === 'eth_sendTransaction')
    const { params } = (sent?.body ?? { params: [] }) as { params: { to: string; data: string }[] }
    const { to = '', data = '' } = params[0] ?? {}
    expect(to).toBe(factory)
    const salt = `0x${data.slice(10, 74)}`
    expect(data).toBe(ownerCallData({ kind: 'createVault', salt, collector: cold }))
    expect(calls.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({ transactionHash: HASH.slice(2) })
  })

  it('says that nothing was sent when the owner declined', async () => {
    announce({ eth_sendTransaction: Object.assign(new Error('no'), { code: 4001 }) })
    stubServer(base())
    await toSign()
    await press('Open in wallet')
    expect(await screen.findByText('You declined. Nothing was sent.')).toBeDefined()
  })

  it('takes up what was sent before the page was closed, and shows why it is refused', async () => {
    localStorage.setItem(
      'kassa-deployment',
      JSON.stringify({ blockchainCode: 'ETH', factoryId: 11, vault: COLD, collector: COLD, transactionHash: HASH }),
    )
    stubServer(base({ [REGISTER]: () => refusal(409, 'CONTRACT_MISMATCH', 'Other code.') }))
    draw()
    expect(await screen.findByText(/^A deployment is waiting: /)).toBeDefined()
    await press('Continue')
    expect(await screen.findByText(/Other code\./)).toBeDefined()
    await press('Start over')
    expect(await screen.findByRole('button', { name: 'Connect wallet' })).toBeDefined()
    expect(localStorage.getItem('kassa-deployment')).toBeNull()
  })

  it('refuses the owner as the cold address, other code, another network and an empty account', async () => {
    announce({ eth_requestAccounts: [COLD] })
    stubServer(base())
    draw()
    await press('Connect wallet')
    expect(await screen.findByText(/^Use another address: if this key is lost or stolen/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Continue' }).getAttribute('aria-disabled')).toBe('true')
  })

  it.each([
    [{ eth_getCode: '0x6002' }, /^Other code than this release’s stands at the factory’s address/],
    [{ eth_getBalance: '0x1' }, /^The account has too little for the network fee/],
    [{ eth_chainId: '0x1' }, /^Your wallet is on another network/],
  ])('stops before anything is sent: %o', async (answers, words) => {
    announce(answers)
    stubServer(base())
    draw()
    await press('Connect wallet')
    await press('Continue')
    expect(await screen.findByText(words)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Continue' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('says what the fee costs, and on which network the wallet is instead', async () => {
    const { all } = announce({ eth_chainId: '0x7a6a', eth_getBalance: `0x${(10n ** 24n).toString(16)}` })
    const base4 = blockchain({ id: 4, code: 'BASE', name: 'Base', chainID: 0x7a6a })
    const eth = {
      ...{ blockchainCode: 'ETH', currencyCode: 'ETH', tokenAddress: '', standard: 'native' },
      price: '3000',
    }
    const row = { ...eth, walletPrecision: 18, family: 'ETH_Family', updatedAt: AT, stale: false }
    stubServer(base({ 'GET /blockchains': () => [ethereum(), base4], 'GET /ticker': () => [row] }))
    draw()
    await press('Connect wallet')
    await press('Continue')
    expect(await screen.findByText('Your wallet is on Base. Switch to Ethereum.')).toBeDefined()
    all.eth_chainId = '0x7a69'
    await press('Switch')
    expect(
      await screen.findByText(/^≈ 0\.0005 ETH \(.?\$1\.50.?\), 500,000 gas; the account has 1,000,000 ETH$/),
    ).toBeDefined()
  })

  it('stops at a cold address that is not usable yet, and says how long', async () => {
    announce()
    const usableAt = new Date(Date.now() + 23.5 * 3_600_000).toISOString()
    stubServer(base({}, [{ ...coldWallet(), usableAt }]))
    draw()
    await press('Connect wallet')
    expect(await screen.findByText('23 hours')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Continue' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('registers what was sent when it is tried again after a failure', async () => {
    let times = 0
    const sent = { blockchainCode: 'ETH', factoryId: 11, vault: COLD, collector: COLD, transactionHash: HASH }
    localStorage.setItem('kassa-deployment', JSON.stringify(sent))
    const made = () => Response.json({ ...coldWallet(), walletType: 'deposit_wallet' }, { status: 201 })
    stubServer(
      base({ [REGISTER]: () => ((times += 1) === 1 ? refusal(500, 'INTERNAL_ERROR', 'Something broke.') : made()) }),
    )
    draw()
    await press('Continue')
    expect(await screen.findByText(/Something broke\./)).toBeDefined()
    await press('Try again')
    expect(await screen.findByText(/^Verified\./)).toBeDefined()
    expect(localStorage.getItem('kassa-deployment')).toBeNull()
  })

  it('shows the call to sign elsewhere, and takes the hash', async () => {
    stubServer(base({ [REGISTER]: () => refusal(404, 'TRANSACTION_NOT_FOUND', 'No such transaction.') }))
    draw()
    await press('Show as raw transaction')
    await userEvent.type(await screen.findByLabelText(/Address that will send/), OWNER)
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    await press('Continue')
    await press('Continue')
    expect(await screen.findByText(/"chainId": 31337/)).toBeDefined()
    await userEvent.type(await screen.findByLabelText(/Transaction hash/), HASH)
    await press('Continue')
    expect(await screen.findByText('The network has not heard of the transaction yet.')).toBeDefined()
  })

  it('has a built-in wallet play the owner on the sandbox where the browser has none', async () => {
    const calls = stubServer(base({ 'POST /sandbox/owner-wallet/ETH': () => ({ result: [OWNER] }) }))
    draw()
    expect(await screen.findByText(/On the sandbox a built-in wallet plays the owner’s/)).toBeDefined()
    await press('Connect wallet')
    expect(await screen.findByText('Cold address', { selector: 'legend, legend *' })).toBeDefined()
    expect(calls.find(({ path }) => path === '/sandbox/owner-wallet/ETH')?.body).toEqual({
      method: 'eth_requestAccounts',
    })
  })
})
