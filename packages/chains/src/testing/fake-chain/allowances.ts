import type { ChainView } from './block-tree.ts'

/** What an owner lets a spender take of a token. */
type Allowance = {
  readonly token: string
  readonly owner: string
  readonly spender: string
  readonly units: bigint
}

/** The allowances of a chain: what they are on a branch follows from the transactions in its blocks. */
type Allowances = {
  /** Says what a transaction allows where it succeeds. */
  readonly note: (txId: string, allowance: Allowance) => void
  /** How much is allowed on the branch that a view shows. */
  readonly left: (view: ChainView, asked: Omit<Allowance, 'units'>) => bigint
}

/** Makes the allowances of a chain; what is allowed once is never used up here. */
export function createAllowances(): Allowances {
  const made = new Map<string, Allowance>()
  return {
    note: (txId, allowance) => void made.set(txId, allowance),
    left: (view, { token, owner, spender }) => {
      let units = 0n
      for (const { hash, isSuccess } of view.blocks.flatMap(({ transactions }) => transactions)) {
        const own = isSuccess ? made.get(hash) : undefined
        if (own?.token === token && own.owner === owner && own.spender === spender) units = own.units
      }
      return units
    },
  }
}
