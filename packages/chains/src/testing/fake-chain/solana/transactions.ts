import { plainBase58 } from '@kassa/keys/solana/address.ts'
import { TOKEN_PROGRAM } from '@kassa/keys/solana/movement.ts'
import { SANDBOX_SOLANA_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

import { tokenAccountOf } from '../../../solana/addresses/token-accounts.ts'
import { PLAIN } from '../plain.ts'
import type { FakeBalance, FakeTransaction, TrueMove } from '../transactions.ts'

type Leg = { readonly token: string | null; readonly to: string; readonly units: bigint }
type Sent = Leg & { readonly name: string }

/** The payer, and the balances of its accounts before every payment. */
const PAYER = named('payer')
const PAYERS_COINS = 10n ** 15n
const PAYERS_TOKENS = 10n ** 15n

/** Lamports that open an account for a token: they are the network's, not income of its owner (S7). */
const RENT = 2_039_280n
export const SOLANA_FEE = 5_000n

/** What an account of ours held before: only how much more it holds afterwards is money. */
const HELD = 1_000_000n

/** The program of tokens that may take fees and have hooks: none of it is listed. */
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** Pays owners, each its part; what reaches one account by one transaction is one move. */
export function paySolana({ name, legs }: { readonly name: string; readonly legs: readonly Leg[] }): FakeTransaction {
  const parts = new Map<string, Leg & { readonly account: string }>()
  for (const leg of legs) {
    const account = leg.token === null ? leg.to : tokenAccountOf(leg.to, leg.token)
    parts.set(account, { ...leg, account, units: leg.units + (parts.get(account)?.units ?? 0n) })
  }
  const moves = [...parts.values()].map(({ account, ...leg }): TrueMove => ({
    ...leg,
    leg: `delta:${account}`,
    from: PAYER,
  }))
  return { ...written(name, [...parts.values()].flatMap(changesOf)), moves }
}

/** What looks like money and is none (money.md 2.12: S1, S2, S3, S4, S7, S12). */
export const SOLANA_FAKES = {
  failed: ({ name, ...leg }: Sent) => ({ ...paySolana({ name, legs: [leg] }), isSuccess: false, moves: [] }),
  lookAlike: ({ name, to, units }: Sent) => {
    const token = SANDBOX_SOLANA_TOKENS.lookAlikeUsdc
    return { ...paySolana({ name, legs: [{ token, to, units }] }), moves: [] }
  },
  otherProgram: ({ name, token, to, units }: Sent) => {
    const mint = token ?? SANDBOX_SOLANA_TOKENS.usdc
    return written(name, [
      tokenBalance({ account: named(`${name} 2022`), owner: to, mint, units, program: TOKEN_2022 }),
    ])
  },
  otherAccount: ({ name, token, to, units }: Sent) => {
    const mint = token ?? SANDBOX_SOLANA_TOKENS.usdc
    return written(name, [tokenBalance({ account: named(`${name} other`), owner: to, mint, units })])
  },
  loop: ({ name, to }: Sent) => written(name, [{ account: to, before: HELD, after: HELD }]),
} as const satisfies Record<string, (sent: Sent) => FakeTransaction>

function changesOf({ token, account, to, units }: Leg & { readonly account: string }): FakeBalance[] {
  if (token === null) return [{ account, before: HELD, after: HELD + units }]
  const payers = tokenAccountOf(PAYER, token)
  return [
    tokenBalance({ account: payers, owner: PAYER, mint: token, units: -units }),
    tokenBalance({ account, owner: to, mint: token, units }),
  ]
}

type TokenChange = {
  readonly account: string
  readonly owner: string
  readonly mint: string
  readonly units: bigint
  readonly program?: string
}

/** The sender of tokens opens the account that receives them. */
function tokenBalance({ account, owner, mint, units, program = TOKEN_PROGRAM }: TokenChange): FakeBalance {
  const isPayers = units < 0n
  const before = isPayers ? PAYERS_TOKENS : 0n
  const token = { owner, mint, program, before, after: before + units }
  return { account, before: isPayers ? RENT : 0n, after: RENT, token }
}

/** The payer is first, and loses what others gain, and the fee. One account stands in the list once. */
function written(name: string, changes: readonly FakeBalance[]): FakeTransaction {
  const byAccount = new Map<string, FakeBalance>()
  for (const change of changes) byAccount.set(change.account, joined(byAccount.get(change.account), change))
  const gained = [...byAccount.values()].reduce((sum, { before, after }) => sum + after - before, 0n)
  const payer = { account: PAYER, before: PAYERS_COINS, after: PAYERS_COINS - gained - SOLANA_FEE }
  const seed = sha256(utf8ToBytes(`signature ${name}`))
  const hash = plainBase58(concatBytes(seed, sha256(seed)))
  return { ...PLAIN, hash, from: PAYER, to: '', balances: [payer, ...byAccount.values()] }
}

function joined(one: FakeBalance | undefined, other: FakeBalance): FakeBalance {
  if (!one?.token || !other.token) return other
  const units = other.token.after - other.token.before
  return { ...one, token: { ...one.token, after: one.token.after + units } }
}

/** An account that a name stands for. */
function named(name: string): string {
  return plainBase58(sha256(utf8ToBytes(`solana ${name}`)))
}
