import { msg, t } from '@lingui/core/macro'
import type { Node, NodeHealth } from '@kassa/contract/blockchains/schemas.ts'

import type { Tone } from '../../ui/tones.ts'

const STATES: Readonly<Record<NodeHealth['state'], { readonly tone: Tone; readonly word: string }>> = {
  well: { tone: 'success', word: msg`Well` },
  resting: { tone: 'warning', word: msg`Resting` },
  stale: { tone: 'warning', word: msg`Behind` },
  forked: { tone: 'danger', word: msg`Other branch` },
  refused: { tone: 'danger', word: msg`Refused` },
}

/** Returns how a node is as a word with its tone. */
export function nodeState({ isActive, health }: Pick<Node, 'isActive' | 'health'>): {
  readonly tone: Tone
  readonly word: string
} {
  if (!isActive) return { tone: 'neutral', word: t`Off` }
  return health === null ? { tone: 'info', word: t`Not asked yet` } : STATES[health.state]
}

/** Returns what to know about the sources of a network; absent when two can check each other. */
export function sourcesNote({
  sourceCount,
  rpcNodes,
}: {
  sourceCount: number
  rpcNodes: readonly Node[]
}): string | undefined {
  const active = rpcNodes.filter(({ isActive }) => isActive).length
  if (active === 0) return t`No node is switched on: nothing is read. Add one.`
  if (sourceCount > 1) return undefined
  return active === 1
    ? t`One node can lie; add a second.`
    : t`All nodes are of one operator, who can lie; add one of somebody else.`
}
