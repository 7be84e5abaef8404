import type { PayFacts, WalletTexts } from '../../render/panels/wallet.ts'

/** Why an account cannot pay, by the text that says so. */
export type Shortage = keyof WalletTexts & ('noMoney' | 'noFee' | 'refused')

/** A wallet of the browser, of whatever family: what paying asks of one. */
export type Wallet = {
  /** Tells one wallet from another: the object that it put there itself. */
  readonly door: object
  readonly name: string
  readonly icon: string
  /** Asks to be let in; the account in use, empty for none. */
  readonly connect: () => Promise<string>
  /** The account in use, without asking its owner; empty for none. */
  readonly account: () => Promise<string>
  /**
   * The id of its network as wallets write it (`0x2105`, `solana:mainnet`): the wanted one where it serves several at once; where it
   * has no word for it, the name of its node.
   */
  readonly network: (wanted: string) => Promise<string>
  /** Asks it to change to a network; a family whose wallets sign for every network has none. */
  readonly goTo?: (chainId: string) => Promise<void>
  /** Calls back whenever account or network have changed. */
  readonly listen: (hear: () => void) => void
  /** Looks whether the account can pay: why it cannot, else how exactly that which was looked at is sent. */
  readonly prepare: (pay: PayFacts, account: string) => Promise<Shortage | Send>
}

/** Asks for the signature, and has it sent. */
export type Send = () => Promise<Sent>

/** The hash, and until when a block can take it by the server's clock, for networks where that ends. */
export type Sent = { readonly hash: string; readonly until?: number }

/** Finds the wallets of one family; none is asked for anything. */
export type Finder = () => Promise<readonly Wallet[]>

/** Ends a turn with one of the page's texts. */
export class Stopped extends Error {
  readonly text: keyof WalletTexts

  constructor(text: keyof WalletTexts) {
    super(`Stopped: ${text}`)
    this.name = 'Stopped'
    this.text = text
  }
}

/** A wallet that was asked to send gave neither a hash nor a refusal: whether it sent, only its owner can see. */
export class Undecided extends Error {
  constructor(cause: unknown) {
    super('The wallet did not say whether it sent', { cause })
    this.name = 'Undecided'
  }
}

/** Wallets answer at once; a slow machine gets a little more. */
export const ANNOUNCED_WITHIN_MS = 200

/** Hears who announces itself by an event (EIP-6963, TIP-6963). */
export async function announced<Detail>(prefix: string, hear: (detail: Detail) => void): Promise<void> {
  const listener = (event: Event) => hear((event as CustomEvent<Detail>).detail)
  addEventListener(`${prefix}:announceProvider`, listener)
  dispatchEvent(new Event(`${prefix}:requestProvider`))
  await new Promise((done) => setTimeout(done, ANNOUNCED_WITHIN_MS))
  removeEventListener(`${prefix}:announceProvider`, listener)
}
