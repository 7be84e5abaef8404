import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { plural, t } from '@lingui/core/macro'

/** More blocks than this behind is worth a word: the alarm counts from here too (money.md 2.10). */
const BEHIND_BLOCKS = 5

type Facts = Pick<Blockchain, 'status' | 'reason' | 'lagBlocks' | 'notice'>

export type NetworkState = {
  readonly tone: 'neutral' | 'progress' | 'success' | 'warning' | 'danger'
  readonly word: string
}

/** Returns how a blockchain is read, as a word with its tone. */
export function networkState({ status, reason, lagBlocks, notice }: Facts): NetworkState {
  if (status === 'inactive')
    return {
      tone: 'neutral',
      word: t({ message: 'Off', comment: 'state of what is switched off: a network, a node, an endpoint' }),
    }
  if (reason !== null) return { tone: 'danger', word: t`Stopped` }
  if (lagBlocks === null) return { tone: 'progress', word: t`Not read yet` }
  if (lagBlocks > BEHIND_BLOCKS) return { tone: 'warning', word: behindText(lagBlocks) }
  if (notice !== null) return { tone: 'warning', word: t`Check` }
  return { tone: 'success', word: t`Connected` }
}

function behindText(blocks: number): string {
  return plural(blocks, { one: `${blocks} block behind`, other: `${blocks} blocks behind` })
}

/** Returns the newest block of a blockchain's network, as far as we know; absent before its first block was read. */
export function headOf({ height, lagBlocks }: Pick<Blockchain, 'height' | 'lagBlocks'>): number | undefined {
  return lagBlocks === null ? undefined : height + lagBlocks
}
