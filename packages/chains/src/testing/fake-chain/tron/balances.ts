import type { ChainView } from '../block-tree.ts'

/** What arrived at an address up to the newest block, less what left it; of a token by its contract, or of TRX. */
export function heldOnTron(view: ChainView, token: string | null, address: string): bigint {
  let units = 0n
  for (const { transactions } of view.blocks) {
    for (const move of transactions.flatMap(({ moves }) => moves)) {
      if (move.token !== token) continue
      if (move.to === address) units += move.units
      if (move.from === address) units -= move.units
    }
  }
  return units
}

/** Whether an account exists: TRX has reached it. */
export function isActivated(view: ChainView, address: string): boolean {
  return view.blocks.some(({ transactions }) =>
    transactions.some(({ moves }) => moves.some(({ token, to }) => token === null && to === address)),
  )
}
