import {
  connectTron,
  currentTronAccount,
  doorOfOldTronLink,
  switchTron,
  tronNetwork,
} from '@kassa/keys/tron/injected-wallet.ts'
import type { OldTronLink, TronProvider } from '@kassa/keys/tron/injected-wallet.ts'
import { announced } from '../wallet.ts'
import type { Wallet } from '../wallet.ts'
import { payOnTron } from './transfer.ts'

/** A wallet as it announces itself (TIP-6963, https://github.com/tronprotocol/tips/issues/737). */
type Announced = {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string }
  readonly provider: TronProvider
}

/** What wallets put on the page's own object, the older ones nothing else. */
type Injected = { readonly tron?: TronProvider; readonly tronLink?: OldTronLink }

/** Finds the wallets of TRON in this browser, each once; none is asked for anything. */
export async function tronWallets(): Promise<readonly Wallet[]> {
  const wallets = new Map<string, Announced>()
  await announced<Announced>('TIP6963', (one) => {
    if (one.info.uuid !== '') wallets.set(one.info.uuid, one)
  })
  if (wallets.size > 0) return [...wallets.values()].map((one) => walletOf(one, one.provider))
  const { tron, tronLink } = globalThis as Injected
  const provider = tron ?? (tronLink && doorOfOldTronLink(tronLink, listenToMessages))
  const info = { uuid: '', name: 'TronLink', icon: '' }
  return provider ? [walletOf({ info, provider }, tron ?? tronLink ?? provider)] : []
}

/** An older TronLink has a new door each time; `door` is what stays the same. */
function walletOf({ info, provider }: Announced, door: object): Wallet {
  return {
    ...{ door, name: info.name, icon: info.icon },
    connect: () => connectTron(provider),
    account: async () => currentTronAccount(provider),
    network: () => tronNetwork(provider),
    goTo: (chainId) => switchTron(provider, chainId),
    listen: (hear) => {
      for (const event of ['accountsChanged', 'chainChanged']) provider.on?.(event, hear)
    },
    prepare: (pay, account) => payOnTron(provider, pay, account),
  }
}

/** How an older TronLink tells the page of another account or node, by the newer event's name. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  accountsChanged: ['accountsChanged', 'setAccount'],
  chainChanged: ['setNode'],
}

function listenToMessages(event: string, listener: () => void): void {
  addEventListener('message', ({ source, data }: MessageEvent<{ message?: { action?: string } } | null>) => {
    const action = data?.message?.action
    if (source === window && action !== undefined && ACTIONS[event]?.includes(action) === true) listener()
  })
}
