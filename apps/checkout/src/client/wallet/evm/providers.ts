import { codeOf } from '../steps.ts'
import { announced, Undecided } from '../wallet.ts'
import type { PayFacts } from '../../../render/panels/wallet.ts'
import type { Sent, Wallet } from '../wallet.ts'
import { shortage, transferOf } from './transfer.ts'
import type { Provider } from './transfer.ts'

/** A wallet as it announces itself (EIP-6963). */
type Announced = {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string }
  readonly provider: Provider
}

/** Asks the wallets of this browser to announce themselves (EIP-6963), each once; none is asked for anything else. */
export async function evmWallets(): Promise<readonly Wallet[]> {
  const wallets = new Map<string, Announced>()
  await announced<Announced>('eip6963', (one) => {
    if (one.info.uuid !== '') wallets.set(one.info.uuid, one)
  })
  return [...wallets.values()].map(walletOf)
}

function walletOf({ info, provider }: Announced): Wallet {
  return {
    ...{ door: provider, name: info.name, icon: info.icon },
    connect: async () => firstOf(await provider.request({ method: 'eth_requestAccounts' })),
    account: async () => firstOf(await provider.request({ method: 'eth_accounts' })),
    network: async () => `0x${BigInt(String(await provider.request({ method: 'eth_chainId' }))).toString(16)}`,
    goTo: async (chainId) => {
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
    },
    listen: (hear) => {
      for (const event of ['accountsChanged', 'chainChanged']) provider.on?.(event, hear)
    },
    prepare: async (pay, account) =>
      (await shortage(provider, pay, account)) ?? (() => sendFrom(provider, pay, account)),
  }
}

/** How a wallet says that it sends nothing (EIP-1193, EIP-1474); any other error may come after it has sent. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([4001, 4100, 4200, -32_002, -32_601, -32_602])

async function sendFrom(provider: Provider, pay: PayFacts, account: string): Promise<Sent> {
  try {
    const hash = await provider.request({ method: 'eth_sendTransaction', params: [transferOf(pay, account)] })
    if (typeof hash !== 'string') throw new TypeError('The wallet gave no transaction')
    return { hash }
  } catch (thrown) {
    throw REFUSALS.has(codeOf(thrown)) ? thrown : new Undecided(thrown)
  }
}

function firstOf(accounts: unknown): string {
  return Array.isArray(accounts) && typeof accounts[0] === 'string' ? accounts[0] : ''
}
