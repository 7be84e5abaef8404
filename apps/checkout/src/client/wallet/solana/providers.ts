import { hearStandardWallets } from '../standard-wallets.ts'
import type { StandardWallet } from '../standard-wallets.ts'
import { ANNOUNCED_WITHIN_MS } from '../wallet.ts'
import type { Wallet } from '../wallet.ts'
import { payOnSolana } from './transfer.ts'

/** An account as wallets give it (Wallet Standard, https://github.com/wallet-standard/wallet-standard). */
type Account = { readonly address: string; readonly chains: readonly string[]; readonly features?: readonly string[] }

type Signing = {
  readonly signTransaction: (input: {
    readonly account: Account
    readonly transaction: Uint8Array
    readonly chain: string
  }) => Promise<readonly { readonly signedTransaction: Uint8Array }[]>
}

type Features = {
  readonly 'standard:connect'?: { readonly connect: () => Promise<{ readonly accounts: readonly Account[] }> }
  readonly 'standard:events'?: { readonly on: (event: 'change', hear: () => void) => unknown }
  readonly 'solana:signTransaction'?: Signing
}

/** EIP-1193: the owner has not let the page in. */
const LOCKED = 4100

/** Finds the wallets of this browser that connect and sign on Solana, each once; none is asked for anything. */
export async function solanaWallets(): Promise<readonly Wallet[]> {
  const found = new Set<StandardWallet>()
  const stop = hearStandardWallets((wallet) => found.add(wallet))
  await new Promise((done) => setTimeout(done, ANNOUNCED_WITHIN_MS))
  stop()
  return [...found].flatMap(walletOf)
}

/** A wallet of several families lists accounts of all of them, in any order. */
function signsHere({ chains, features }: Account): boolean {
  return chains.some((name) => name.startsWith('solana:')) && features?.includes('solana:signTransaction') !== false
}

/** Wallets throw errors with a number, and errors with a sentence only. */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    const { code, message } = (thrown ?? {}) as { readonly code?: unknown; readonly message?: unknown }
    if (typeof code === 'number' || !DECLINED.test(String(message))) throw thrown
    throw Object.assign(new Error(String(message)), { code: DECLINED_CODE })
  }
}

const DECLINED = /reject|declin|den(?:y|ied)|cancel/i
const DECLINED_CODE = 4001

function walletOf(wallet: StandardWallet): readonly Wallet[] {
  const features = wallet.features as Features
  const [connect, signing] = [features['standard:connect'], features['solana:signTransaction']]
  if (!connect || !signing) return []
  const accounts = () => (wallet.accounts as readonly Account[]).filter(signsHere)
  const networks = () => accounts()[0]?.chains ?? wallet.chains
  return [
    {
      ...{ door: wallet, name: wallet.name, icon: wallet.icon },
      connect: async () => {
        const [first] = (await asking(() => connect.connect())).accounts.filter(signsHere)
        if (first === undefined) throw Object.assign(new Error('The wallet gave no account'), { code: LOCKED })
        return first.address
      },
      account: async () => accounts()[0]?.address ?? '',
      // A wallet signs for each network that it names, whichever it shows its owner.
      network: async (wanted) => (networks().includes(wanted) ? wanted : (networks()[0] ?? '')),
      listen: (hear) => void features['standard:events']?.on('change', hear),
      prepare: (pay, address) => {
        const sign = async (transaction: Uint8Array) => {
          const account = accounts().find((one) => one.address === address)
          if (account === undefined) throw Object.assign(new Error('The account is gone'), { code: LOCKED })
          const [signed] = await asking(() => signing.signTransaction({ account, transaction, chain: pay.chainId }))
          return signed?.signedTransaction
        }
        return payOnSolana(sign, pay, address)
      },
    },
  ]
}
