import { TOKEN_PROGRAM } from '@kassa/keys/solana/movement.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { plainBase58 } from '@kassa/keys/solana/address.ts'
import { addressKey, addressText } from '../../../solana/addresses/addresses.ts'
import { tokenAccountOf } from '../../../solana/addresses/token-accounts.ts'
import { chainIn } from '../../../chain.ts'
import type { Random } from '../random.ts'

const definition = findBlockchain('SOLANA')
if (!definition) throw new Error('There is no SOLANA')
export const chain = chainIn('mainnet', definition)

const [SOL, USDC] = [6, 10]
const MINT = chain.assets.find(({ id }) => id === USDC)?.address ?? ''
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'

/** What a token account must hold to exist, in lamports. */
const RENT = 2_039_280n
const FEE = 5_000n

/** Lamports that somebody has before a transaction: enough for all that is forged. */
const RICH = 10n ** 15n

export const OURS = addressText(new Uint8Array(32).fill(7))
const PAYER = addressText(new Uint8Array(32).fill(9))
const OUR_ACCOUNT = tokenAccountOf(OURS, MINT)

/** A transaction as `getBlock` prints it, and what truly reached us by it, by asset. */
export type SolanaFake = { readonly tx: object; readonly owed: Readonly<Record<number, bigint>> }

/** A token account: of whom it was and is, and what it held and holds; null where it did not exist, or does no more. */
type Held = { readonly owner: string; readonly units: bigint; readonly program?: string; readonly mint?: string }
type TokenChange = { readonly account: string; readonly before: Held | null; readonly after: Held | null }

type Parts = {
  /** By how many lamports accounts changed, the fee aside. */
  readonly coins?: Readonly<Record<string, bigint>>
  readonly tokens?: readonly TokenChange[]
  readonly isFailed?: boolean
  readonly calls?: readonly object[]
  /** Accounts that the transaction itself does not name: its lookup tables add them. */
  readonly fromTables?: { readonly writable: readonly string[]; readonly readonly: readonly string[] }
  readonly owed?: Readonly<Record<number, bigint>>
}

/** Every class that is a transaction of Solana (money.md 2.12, S rows), forged from a seed. */
export const solanaFakes: Readonly<Record<string, (random: Random) => SolanaFake>> = {
  S1: (random) => {
    const units = unitsOf(random)
    const parts = random.chance(0.5) ? { tokens: [arrival(units)] } : { coins: { [OURS]: units } }
    return forge(random, { ...parts, isFailed: true })
  },
  S2: (random) => {
    const mint = addressOf(random)
    return forge(random, { tokens: [arrival(unitsOf(random), { mint, account: tokenAccountOf(OURS, mint) })] })
  },
  S3: (random) => {
    const mint = random.pick([MINT, addressOf(random)])
    const account = random.pick([tokenAccountOf(OURS, mint), addressOf(random)])
    return forge(random, { tokens: [arrival(unitsOf(random), { mint, account, program: TOKEN_2022 })] })
  },
  S4: (random) => forge(random, { tokens: [arrival(unitsOf(random), { account: addressOf(random) })] }),
  S5: (random) => {
    const units = unitsOf(random)
    const more = random.pick([0n, unitsOf(random)])
    const account = random.pick([OUR_ACCOUNT, addressOf(random)])
    const after = { owner: OURS, units: units + more }
    return forge(random, { tokens: [{ account, before: { owner: PAYER, units }, after }] })
  },
  S6: (random) => {
    // A transfer to a frozen account fails; whoever may close an account may not move what it holds.
    const isFrozen = random.chance(0.5)
    const units = unitsOf(random)
    return forge(random, { tokens: [arrival(units)], isFailed: isFrozen, owed: isFrozen ? {} : { [USDC]: units } })
  },
  S7: (random) => {
    const tokens = [{ account: OUR_ACCOUNT, before: null, after: { owner: OURS, units: 0n } }]
    return forge(random, { coins: { [OUR_ACCOUNT]: RENT }, tokens })
  },
  S8: (random) => {
    const units = unitsOf(random)
    const account = tokenAccountOf(OURS, WRAPPED_SOL)
    const held = { owner: OURS, mint: WRAPPED_SOL, units }
    // Wrapped for us it is no coin of ours; when its account is closed in our favour all of it is.
    if (random.chance(0.5)) {
      return forge(random, { coins: { [account]: units + RENT }, tokens: [{ account, before: null, after: held }] })
    }
    const tokens = [{ account, before: held, after: null }]
    const coins = { [account]: -units - RENT, [OURS]: units + RENT }
    return forge(random, { coins, tokens, owed: { [SOL]: units + RENT } })
  },
  S10: (random) => {
    const units = unitsOf(random)
    const info = { source: PAYER, destination: OURS, lamports: Number(units % 2n ** 53n) }
    const one = { program: 'system', parsed: { type: 'transfer', info } }
    const calls = [{ index: 0, instructions: [one, one, one] }]
    return forge(random, { coins: { [OURS]: units }, calls, owed: { [SOL]: units } })
  },
  S11: (random) => {
    const units = unitsOf(random)
    const strangers = [addressOf(random), addressOf(random)]
    // Ours is only read while a stranger gains, or gains among strangers that are only read.
    const isRead = random.chance(0.5)
    const [stranger = ''] = strangers
    const fromTables = isRead
      ? { writable: strangers, readonly: [OURS] }
      : { writable: [OURS], readonly: random.shuffle(strangers) }
    return forge(random, {
      coins: { [isRead ? stranger : OURS]: units },
      fromTables,
      owed: isRead ? {} : { [SOL]: units },
    })
  },
  S12: (random) => {
    const units = unitsOf(random)
    const same = { owner: OURS, units }
    const calls = [{ index: 0, instructions: [{ program: 'spl-token', parsed: { type: 'transfer' } }] }]
    return forge(random, {
      tokens: [{ account: OUR_ACCOUNT, before: same, after: same }],
      coins: { [OURS]: 0n },
      calls,
    })
  },
}

/** A transfer of coins to us that is what it seems. */
export function trueTransfer(random: Random): SolanaFake {
  const units = unitsOf(random)
  return forge(random, { coins: { [OURS]: units }, owed: { [SOL]: units } })
}

function arrival(units: bigint, { account = OUR_ACCOUNT, ...token }: Partial<Held & { account: string }> = {}) {
  const held = { owner: OURS, units: 0n, ...token }
  return { account, before: held, after: { ...held, units } }
}

function forge(
  random: Random,
  { coins = {}, tokens = [], isFailed = false, calls = [], fromTables, owed = {} }: Parts,
): SolanaFake {
  const loaded = fromTables ?? { writable: [], readonly: [] }
  const tabled = new Set([...loaded.writable, ...loaded.readonly])
  const named = new Set([PAYER, ...Object.keys(coins), ...tokens.map(({ account }) => account)])
  const own = [...named].filter((address) => !tabled.has(address))
  const accounts = [...own, ...loaded.writable, ...loaded.readonly]
  const moved = Object.values(coins).reduce((sum, units) => sum + units, 0n)
  const before = (address: string): bigint => (address === PAYER ? RICH + RICH : RICH)
  const after = (address: string): bigint =>
    address === PAYER ? before(address) - FEE - moved : before(address) + (coins[address] ?? 0n)
  const held = (pick: (change: TokenChange) => Held | null) =>
    tokens.flatMap((change) => {
      const one = pick(change)
      if (!one) return []
      const { owner, units, program = TOKEN_PROGRAM, mint = MINT } = one
      const uiTokenAmount = { amount: String(units), decimals: 6 }
      return [{ accountIndex: accounts.indexOf(change.account), mint, owner, programId: program, uiTokenAmount }]
    })
  return {
    tx: {
      meta: {
        err: isFailed ? { InstructionError: [0, { Custom: 17 }] } : null,
        fee: FEE,
        preBalances: accounts.map(before),
        postBalances: accounts.map(after),
        preTokenBalances: held((change) => change.before),
        postTokenBalances: held((change) => change.after),
        innerInstructions: calls,
        loadedAddresses: loaded,
      },
      transaction: { signatures: [signatureOf(random)], message: { accountKeys: own } },
      version: fromTables ? 0 : 'legacy',
    },
    owed,
  }
}

function signatureOf(random: Random): string {
  return plainBase58(Buffer.from(random.hex(64).slice(2), 'hex'))
}

function addressOf(random: Random): string {
  return addressText(Buffer.from(random.hex(32).slice(2), 'hex'))
}

/** Amounts have 64 bits; those of coins are well below. */
function unitsOf(random: Random): bigint {
  return (random.units() % (RICH - 1n)) + 1n
}

/** Whether a key is that of our address. */
export function isOurs(key: Uint8Array): boolean {
  return Buffer.from(addressKey(OURS)).equals(Buffer.from(key))
}
