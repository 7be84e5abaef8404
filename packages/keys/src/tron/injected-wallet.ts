/**
 * A wallet of TRON in the browser (TIP-1193, https://github.com/tronprotocol/tips/blob/master/tip-1193.md), and what TronLink had
 * before (`tron_requestAccounts`). A wallet names its account and its network and signs; it writes and sends nothing here.
 */
import type { WalletTransaction } from './wallet-transaction.ts'

/** A wallet's door. */
export type TronProvider = {
  readonly request: (call: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>
  readonly on?: (event: string, listener: () => void) => void
  /** False, or without an address, while the wallet is locked or has not let this page in. */
  readonly tronWeb?: InjectedTronWeb | false
}

/** As much of the library that a wallet brings along as is used here. */
type InjectedTronWeb = {
  readonly defaultAddress?: { readonly base58?: string | false }
  readonly fullNode?: { readonly host?: string }
  readonly trx: { readonly sign: (transaction: WalletTransaction) => Promise<unknown> }
}

/** How wallets say no: EIP-1193 and TIP-1102, whose numbers older answers and sentences are read as. */
const WALLET_CODES = { declined: 4001, locked: 4100, unsupported: 4200, busy: -32_002 } as const

/** A wallet said no. */
class WalletRefusal extends Error {
  readonly code: number

  constructor(code: number) {
    super(`The wallet answered ${code}`)
    this.name = 'WalletRefusal'
    this.code = code
  }
}

/** TronLink answers so when it is asked again and again while it is locked. */
const ASKED_WHILE_LOCKED = -32_000

/** What `tron_requestAccounts` answers while the question of before is open. */
const OLD_BUSY = 4000

/** Hosts of public nodes, by the id of their network (TIP-474), for wallets that do not name it. */
const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/^https:\/\/(?:nile\.trongrid\.io|api\.nileex\.io)\/?$/i, '0xcd8690dc'],
  [/^https:\/\/api\.shasta\.trongrid\.io\/?$/i, '0x94a9059e'],
  [/^https:\/\/api\.(?:trongrid|tronstack)\.io\/?$/i, '0x2b6653dc'],
]

/** Asks a wallet to let the page in. @throws WalletRefusal */
export async function connectTron(provider: TronProvider): Promise<string> {
  const answer = await refusing(() => provider.request({ method: 'eth_requestAccounts' }))
  const [first] = Array.isArray(answer) ? (answer as unknown[]) : []
  const account = typeof first === 'string' && first !== '' ? first : currentTronAccount(provider)
  if (account === '') throw new WalletRefusal(WALLET_CODES.locked)
  return account
}

/** The account in use; empty while the wallet is locked. */
export function currentTronAccount({ tronWeb }: TronProvider): string {
  return (tronWeb && tronWeb.defaultAddress?.base58) || ''
}

/** The id of the network that a wallet is on, as wallets write it; where it does not say and its node is unknown, that node's name. @throws WalletRefusal */
export async function tronNetwork(provider: TronProvider): Promise<string> {
  try {
    const id = await refusing(() => provider.request({ method: 'eth_chainId' }))
    if (typeof id === 'string' && /^0x[0-9a-f]+$/i.test(id)) return id.toLowerCase()
  } catch (thrown) {
    if (!isCode(thrown, WALLET_CODES.unsupported)) throw thrown
  }
  const host = (provider.tronWeb && provider.tronWeb.fullNode?.host) || ''
  return HOSTS.find(([pattern]) => pattern.test(host))?.[1] ?? /^https?:\/\/([^/]+)/i.exec(host)?.[1] ?? ''
}

/** Asks a wallet to go to a network (TIP-3326). @throws WalletRefusal */
export async function switchTron(provider: TronProvider, chainId: string): Promise<void> {
  await refusing(() => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }))
}

/** Has a wallet sign a transaction; the signature as hex. @throws WalletRefusal, TypeError for an answer without one signature */
export async function signTron({ tronWeb }: TronProvider, transaction: WalletTransaction): Promise<string> {
  if (!tronWeb) throw new WalletRefusal(WALLET_CODES.locked)
  const signed = await refusing(() => tronWeb.trx.sign(transaction))
  const { signature, raw_data_hex: raw } = (signed ?? {}) as { signature?: unknown; raw_data_hex?: unknown }
  const [one, ...more] = Array.isArray(signature) ? (signature as unknown[]) : []
  const isSame = raw === undefined || raw === transaction.raw_data_hex
  if (typeof one !== 'string' || more.length > 0 || !isSame) throw new TypeError('The wallet signed something else')
  return one.replace(/^0x/i, '')
}

/** TronLink before TIP-1193, which answered with a code instead of failing. */
export type OldTronLink = {
  readonly request: (call: { readonly method: string }) => Promise<unknown>
  readonly tronWeb?: InjectedTronWeb | false
}

/** Gives an older TronLink the door of newer ones; `on` hears what it tells the page. It cannot be asked to change its network. */
export function doorOfOldTronLink(old: OldTronLink, on: Required<TronProvider>['on']): TronProvider {
  return {
    on,
    get tronWeb() {
      return old.tronWeb
    },
    request: async ({ method }) => {
      if (method !== 'eth_requestAccounts') throw new WalletRefusal(WALLET_CODES.unsupported)
      const answer = (await old.request({ method: 'tron_requestAccounts' })) as { code?: number } | null | ''
      // It answers with nothing while it is locked.
      if (!answer) throw new WalletRefusal(WALLET_CODES.locked)
      if (answer.code === OLD_BUSY) throw new WalletRefusal(WALLET_CODES.busy)
      if (answer.code === WALLET_CODES.declined) throw new WalletRefusal(WALLET_CODES.declined)
      return [currentTronAccount(old)]
    },
  }
}

async function refusing<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    throw refusalOf(thrown)
  }
}

/** Wallets throw errors with a number, errors without, and bare sentences; the app for phones says `cancel`, in two spellings. */
function refusalOf(thrown: unknown): unknown {
  const { code, message } = (typeof thrown === 'object' && thrown !== null ? thrown : { message: thrown }) as {
    code?: unknown
    message?: unknown
  }
  if (code === ASKED_WHILE_LOCKED) return new WalletRefusal(WALLET_CODES.locked)
  if (typeof code === 'number') return thrown
  const text = typeof message === 'string' ? message : ''
  if (/^canc(?:el|le)$|(?:declined|rejected|cancell?ed|denied) by user|user (?:rejected|denied)/i.test(text)) {
    return new WalletRefusal(WALLET_CODES.declined)
  }
  return thrown
}

function isCode(thrown: unknown, code: number): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === code
}
