/**
 * A wallet of TRON in the browser (TIP-1193, https://github.com/tronprotocol/tips/blob/master/tip-1193.md), and TronLink's
 * older interface (`tron_requestAccounts`). The wallet names its account and network and signs; it neither builds nor
 * broadcasts transactions here.
 */
import type { WalletTransaction } from './wallet-transaction.ts'

/** The object by which a page calls a wallet. */
export type TronProvider = {
  readonly request: (call: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>
  readonly on?: (event: string, listener: () => void) => void
  /** False, or without an address, while the wallet is locked or has not let this page in. */
  readonly tronWeb?: InjectedTronWeb | false
}

/** The parts used here of the library that a wallet injects. */
type InjectedTronWeb = {
  readonly defaultAddress?: { readonly base58?: string | false }
  readonly fullNode?: { readonly host?: string }
  readonly trx: { readonly sign: (transaction: WalletTransaction) => Promise<unknown> }
}

/** Codes of a wallet's refusals (EIP-1193 and TIP-1102); older answers and sentences are mapped to them. */
const WALLET_CODES = { declined: 4001, locked: 4100, unsupported: 4200, busy: -32_002 } as const

/** A refusal by a wallet. */
class WalletRefusal extends Error {
  readonly code: number

  constructor(code: number) {
    super(`The wallet answered ${code}`)
    this.name = 'WalletRefusal'
    this.code = code
  }
}

/** TronLink's answer when it is asked again and again while it is locked. */
const ASKED_WHILE_LOCKED = -32_000

/** The answer of `tron_requestAccounts` while an earlier request is open. */
const OLD_BUSY = 4000

/** Hosts of public nodes, by the id of their network (TIP-474), for wallets that do not name it. */
const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/^https:\/\/(?:nile\.trongrid\.io|api\.nileex\.io)\/?$/i, '0xcd8690dc'],
  [/^https:\/\/api\.shasta\.trongrid\.io\/?$/i, '0x94a9059e'],
  [/^https:\/\/api\.(?:trongrid|tronstack)\.io\/?$/i, '0x2b6653dc'],
]

/** Asks a wallet to connect to the page. @throws WalletRefusal */
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

/**
 * The id of the wallet's network, as wallets write it; where the wallet does not name it and its node is unknown, the name of
 * that node. @throws WalletRefusal
 */
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

/** Asks a wallet to switch to a network (TIP-3326). @throws WalletRefusal */
export async function switchTron(provider: TronProvider, chainId: string): Promise<void> {
  await refusing(() => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }))
}

/**
 * Asks a wallet to sign a transaction; returns the signature as hex. @throws WalletRefusal, TypeError for an answer without
 * exactly one signature
 */
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

/**
 * Wraps an older TronLink in the newer interface; `on` passes its messages to the page on. It cannot be asked to change its
 * network.
 */
export function doorOfOldTronLink(old: OldTronLink, on: Required<TronProvider>['on']): TronProvider {
  return {
    on,
    get tronWeb() {
      return old.tronWeb
    },
    request: async ({ method }) => {
      if (method !== 'eth_requestAccounts') throw new WalletRefusal(WALLET_CODES.unsupported)
      const answer = (await old.request({ method: 'tron_requestAccounts' })) as { code?: number } | null | ''
      // It answers nothing while it is locked.
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

/** Wallets throw errors with a number, errors without one, and plain sentences; the phone app says `cancel`, in two spellings. */
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
