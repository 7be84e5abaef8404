/** A wallet that signs what this page prepares, of whatever family. */
export type OwnerWallet = {
  /** Asks for the account in use; the wallet asks its owner the first time. */
  readonly connect: () => Promise<string>
  /** The id of the network that it is on; no number where it does not say. */
  readonly network: () => Promise<number>
  readonly goTo: (chainId: number) => Promise<void>
  /** Compares the code that stands where a call goes with what it must hash to, and what the call costs where it is that. */
  readonly inspect: (call: WalletCall, codeHash: string) => Promise<Inspected>
  /** Asks for the signature, and has the call sent; the hash. */
  readonly send: (call: WalletCall) => Promise<string>
}

/** A wallet as it announces itself. */
export type BrowserWallet = {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string }
  readonly wallet: OwnerWallet
}

/** What a wallet is asked to send; it moves no coins. */
export type WalletCall = { readonly from: string; readonly to: string; readonly data: string; readonly chainId: number }

export type Inspected = {
  readonly isSameCode: boolean
  /** In the smallest units of the network's own coin. */
  readonly cost: { readonly gas: bigint; readonly fee: bigint; readonly balance: bigint } | undefined
}

/** Nothing was signed: the account lacks coins, or the contract would undo the call. */
export class NothingToSign extends Error {
  readonly isShort: boolean

  constructor(isShort: boolean) {
    super(isShort ? 'The account has too little for the call' : 'The contract would undo the call')
    this.name = 'NothingToSign'
    this.isShort = isShort
  }
}

/** Wallets answer at once; a slow machine gets a little more. */
const ANNOUNCED_WITHIN_MS = 200

type Announced<Provider> = { readonly info: BrowserWallet['info']; readonly provider: Provider }

/** Asks wallets to announce themselves by an event (EIP-6963, TIP-6963), each once; none is asked for anything else. */
export function announcedBy<Provider>(prefix: 'eip6963' | 'TIP6963'): Promise<readonly Announced<Provider>[]> {
  const found: Announced<Provider>[] = []
  const hear = ({ detail }: CustomEvent<Announced<Provider>>) => {
    if (found.every(({ info }) => info.uuid !== detail.info.uuid)) found.push(detail)
  }
  const listener = hear as unknown as EventListener
  window.addEventListener(`${prefix}:announceProvider`, listener)
  window.dispatchEvent(new Event(`${prefix}:requestProvider`))
  return new Promise((done) => {
    window.setTimeout(() => {
      window.removeEventListener(`${prefix}:announceProvider`, listener)
      done(found)
    }, ANNOUNCED_WITHIN_MS)
  })
}
